import Foundation

/// Sources of an app: some files declare an entity, most only use entities.
struct SourceTree {
  let files: Int
  let lines: Int
  let entities: Int

  /// Writes the files, 50 in each folder, with the same content each time.
  func write(to root: String) throws {
    for number in 0..<files {
      let folder = root + "/Feature\(number / 50)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(text(number).utf8).write(to: URL(fileURLWithPath: folder + "/File\(number).swift"))
    }
  }

  private func text(_ number: Int) -> String {
    let step = max(1, files / max(1, entities))
    let isEntity = number % step == 0 && number / step < entities
    var text = "import Foundation\n"
    if isEntity { text += Self.entity(number) }
    // The enum of an entity is in the file after it.
    if number % step == 1 % step { text += Self.mood(number / step * step) }
    var place = 0
    while true {
      let longer = text + Self.code(number, place, uses: number / step * step)
      if Self.lines(of: longer) > lines { break }
      text = longer
      place += 1
    }
    for line in 0..<max(0, lines - Self.lines(of: text)) { text += "// Line \(line).\n" }
    return text
  }

  private static func lines(of text: String) -> Int {
    text.utf8.count { $0 == UInt8(ascii: "\n") }
  }

  private static func entity(_ number: Int) -> String {
    """
    import ObjectBox

    /// A thing that the app keeps.
    // objectbox: entity
    final class Thing\(number) {
      var id: Id = 0
      // objectbox: index
      var title: String = ""
      var count: Int = 0
      var size: Double?
      var isDone: Bool = false
      var created: Date = Date()
      var content: Data = Data()
      // objectbox: convert = { "default": ".calm" }
      var mood: Mood\(number) = .calm
      // objectbox: transient
      var cache: [String: Int] = [:]

      required init() {}
    }


    """
  }

  private static func mood(_ number: Int) -> String {
    "/// The enum of Thing\(number).\nenum Mood\(number): Int {\n  case calm, glad\n}\n"
  }

  private static func code(_ number: Int, _ place: Int, uses: Int) -> String {
    """
    /// Shows the class of things that stand in part \(place); see also the struct below.
    struct View\(number)_\(place): Sendable {
      let title: String
      var values: [Int] = [1, 2, 3]
      private var isShown = false
      func sum(of others: [Int], scale: Double = 1.5) -> Double {
        // The sum is scaled at the end, which keeps it exact for small numbers.
        let all = values + others.filter { $0 > 10 && $0 % 2 == 0 }
        guard !all.isEmpty else { return 0 }
        return Double(all.reduce(0, +)) * scale
      }
      mutating func show(_ thing: Thing\(uses)) throws {
        switch thing.title.count {
        case 0: isShown = false
        case 1...9: values.append(thing.title.count)
        default:
          for (place, value) in values.enumerated() where value > place {
            print("value \\(value) of \\(thing.title) at \\(place)")
          }
        }
      }
      static let names: [String: [String]] = ["a": ["b", "c"], "d": []]
    }

    """
  }
}
