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

  @Test func `one element of an integer vector is enough`() throws {
    try put { $0.int32s = [1, 2, 3] }
    try put { $0.int32s = [.min, 10] }
    try put { $0.int32s = [.max] }
    try put { $0.int32s = [] }
    #expect(try ids(Everything.int32s.isEqual(to: 2)) == [1])
    #expect(try ids(Everything.int32s.isLessThan(1)) == [2])
    #expect(try ids(Everything.int32s.isLessOrEqual(1)) == [1, 2])
    #expect(try ids(Everything.int32s.isGreaterThan(3)) == [2, 3])
    #expect(try ids(Everything.int32s.isGreaterOrEqual(.max)) == [3])
    #expect(try ids(Everything.int32s.isLessThan(.min)) == [])
    #expect(try ids(Everything.int32s.isLessOrEqual(.min)) == [2])
  }

  @Test func `64-bit vectors do not wrap around`() throws {
    try put { $0.int64s = [1 << 40, -1] }
    try put { $0.int64s = [.min, .max] }
    #expect(try ids(Everything.int64s.isEqual(to: 1 << 40)) == [1])
    #expect(try ids(Everything.int64s.isGreaterThan(1 << 40)) == [2])
    #expect(try ids(Everything.int64s.isLessThan(0)) == [1, 2])
    #expect(try ids(Everything.int64s.isGreaterOrEqual(.max)) == [2])
  }

  @Test func `float vectors compare strictly, and not-a-number never`() throws {
    try put { $0.floats = [1, 2.5] }
    try put { $0.floats = [.nan] }
    #expect(try ids(Everything.floats.isGreaterThan(2.5)) == [])
    #expect(try ids(Everything.floats.isGreaterOrEqual(2.5)) == [1])
    #expect(try ids(Everything.floats.isLessThan(1)) == [])
    #expect(try ids(Everything.floats.isLessOrEqual(1)) == [1])
    #expect(try ids(Everything.floats.isLessThan(.infinity)) == [1])
  }

  @Test func `an element of a string vector is compared whole`() throws {
    try put { $0.strings = ["Straße", "two"] }
    try put { $0.strings = ["TWO"] }
    try put { $0.strings = [] }
    #expect(try ids(Everything.strings.containsElement(element: "two", caseSensitive: true)) == [1])
    #expect(
      try ids(Everything.strings.containsElement(element: "two", caseSensitive: false)) == [1, 2]
    )
    #expect(try ids(Everything.strings.containsElement(element: "tw", caseSensitive: false)) == [])
    #expect(
      try ids(Everything.strings.containsElement(element: "STRAẞE", caseSensitive: false)) == [1]
    )
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
