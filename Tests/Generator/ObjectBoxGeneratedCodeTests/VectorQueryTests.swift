import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Conditions on vectors, of which one element must match, and case-insensitive texts.
struct VectorQueryTests {
  private let folder: TemporaryDirectory
  private let store: Store
  private var box: Box<Everything> { store.box() }

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
  }

  private func put(_ change: (Everything) -> Void) throws {
    let object = Everything()
    change(object)
    try box.put(object)
  }

  private func ids(_ condition: QueryCondition<Everything>) throws -> [Id] {
    try box.query { condition }.build().findIds().map(\.value)
  }

  @Test func `parameters of vector conditions are set like others`() throws {
    try put {
      $0.int32s = [5]; $0.strings = ["a"]
    }
    let query = try box.query {
      "number" .= Everything.int32s.isEqual(to: 4)
        && "text" .= Everything.strings.containsElement(element: "b", caseSensitive: true)
    }.build()
    #expect(try query.count() == 0)
    query.setParameter("number", to: 5)
    query.setParameter("text", to: "a")
    #expect(try query.count() == 1)
  }

  static let pairs: [(String, String)] = [
    ("ИЗУМРУД", "изумруд"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("ΣΊΣΥΦΟΣ", "σίσυφοσ"), ("Ǆ", "ǅ"),
    ("ԱՐԵՎ", "արեվ"), ("ꭰ", "Ꭰ"), ("𐐀", "𐐨"), ("Kelvin", "\u{212A}elvin"), ("maſt", "MAST"),
    ("Îñţér", "îÑŢÉR"), ("ß", "ẞ"),
  ]

  @Test(arguments: pairs)
  func `case does not count in any script`(_ stored: String, _ asked: String) throws {
    try put { $0.string = stored + "\u{FFFF}x" + stored }
    let folded = asked + "\u{FFFF}X" + asked
    #expect(try ids(Everything.string.isEqual(to: folded, caseSensitive: false)) == [1])
    #expect(try ids(Everything.string.isEqual(to: folded)) == [])
    #expect(try ids(Everything.string.startsWith(asked, caseSensitive: false)) == [1])
    #expect(try ids(Everything.string.endsWith(asked, caseSensitive: false)) == [1])
    #expect(try ids(Everything.string.contains("\u{FFFF}X" + asked, caseSensitive: false)) == [1])
    #expect(try ids(Everything.string.isIn([folded], caseSensitive: false)) == [1])
    #expect(try ids(Everything.string.isNotEqual(to: folded, caseSensitive: false)) == [])
    #expect(try ids(Everything.string.isLessThan(folded, caseSensitive: false)) == [])
    #expect(try ids(Everything.string.isLessThan(folded + "a", caseSensitive: false)) == [1])
  }

  @Test func `letters that differ in more than case stay different`() throws {
    try put { $0.string = "İstanbul" }
    try put { $0.string = "strasse" }
    #expect(try ids(Everything.string.isEqual(to: "istanbul", caseSensitive: false)) == [])
    #expect(try ids(Everything.string.isEqual(to: "straße", caseSensitive: false)) == [])
  }

  @Test func `the usual order of strings does not regard case`() throws {
    for text in ["б", "А", "a", "Б", "B", "а"] { try put { $0.string = text } }
    let sorted = try box.query().ordered(by: Everything.string).build().find().map(\.string)
    #expect(sorted == ["a", "B", "А", "а", "б", "Б"])
  }
}
