import Foundation

/// Makes plausible notes, the same ones each time.
struct NoteMaker {
  private static let subjects = [
    "garden", "meeting", "recipe", "journey", "workshop", "library", "bicycle", "harbour",
    "concert",
    "budget", "letter", "kitchen", "holiday", "weather", "language", "orchard", "railway", "museum",
  ]
  private static let openings = ["Plan for the", "Notes on the", "Ideas about the", "List for the"]
  private static let words = [
    "we", "should", "ask", "whether", "the", "old", "plan", "still", "holds", "and", "find", "time",
    "for", "a", "walk", "before", "winter", "comes", "back", "to", "river", "with", "bread", "café",
    "naïve", "größer", "日本", "🙂", "tomorrow", "later", "budget", "signed", "by", "everyone",
  ]
  private static let tags = [
    "home", "work", "travel", "reading", "music", "money", "family", "later",
  ]

  private var state: UInt64 = 2026

  private mutating func random(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  /// Returns the note with a number, as a line of JSON.
  mutating func line(_ number: Int) throws -> Data {
    let subject = Self.subjects[random(Self.subjects.count)]
    let count = 5 + random(40)
    let text = (0..<count).map { _ in Self.words[random(Self.words.count)] }.joined(separator: " ")
    let tagCount = random(4)
    let record = NoteRecord(
      slug: "\(subject)-\(number)",
      title: "\(Self.openings[random(Self.openings.count)]) \(subject) \(number)",
      text: text,
      tags: Set((0..<tagCount).map { _ in Self.tags[random(Self.tags.count)] }).sorted(),
      // From 1965 on, to include dates before 1970.
      created: Double(random(2_000_000_000)) - 157_766_400,
      // Few notes are important.
      priority: random(100) < 2 ? 2 : random(2)
    )
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(record) + Data("\n".utf8)
  }

  /// Writes a file of notes, one for each line.
  static func write(count: Int, to path: String) throws {
    var maker = NoteMaker()
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { throw Failure("cannot write '\(path)'") }
    defer { try? file.close() }
    var buffer = Data()
    for number in 1...max(1, count) {
      buffer += try maker.line(number)
      if buffer.count > 1 << 20 {
        try file.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
      }
    }
    try file.write(contentsOf: buffer)
  }
}

/// A note in a file: a line of JSON.
struct NoteRecord: Codable {
  var slug: String
  var title: String
  var text: String
  var tags: [String]
  /// Seconds since 1970.
  var created: Double
  var priority: Int?

  var note: Note {
    let note = Note(
      slug: slug,
      title: title,
      text: text,
      tags: tags,
      created: Date(timeIntervalSince1970: created)
    )
    note.priority = priority.flatMap(Priority.init) ?? .normal
    return note
  }
}

/// An error message for the user.
struct Failure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}
