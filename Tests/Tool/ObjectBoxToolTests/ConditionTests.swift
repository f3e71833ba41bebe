import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import Testing

import ObjectBoxTool

/// Conditions as texts: what they find, and the messages of errors.
struct ConditionTests {
  private let store: Store

  private static let model = """
    {"entities":[
      {"id":"1:100","lastPropertyId":"3:103","name":"Author","properties":[
        {"id":"1:101","name":"id","type":6,"flags":1},{"id":"2:102","name":"name","type":9},
        {"id":"3:103","name":"born","type":10}],"relations":[]},
      {"id":"2:200","lastPropertyId":"14:214","name":"Note","properties":[
        {"id":"1:201","name":"id","type":6,"flags":1},{"id":"2:202","name":"title","type":9},
        {"id":"3:203","name":"stars","type":2},{"id":"4:204","name":"done","type":1},
        {"id":"5:205","name":"weight","type":8},{"id":"6:206","name":"created","type":10},
        {"id":"7:207","name":"photo","type":23},{"id":"8:208","name":"key","type":23,"externalType":102},
        {"id":"9:209","name":"price","type":9,"externalType":103},{"id":"10:210","name":"tags","type":30},
        {"id":"11:211","name":"place","type":28,"flags":8,"indexId":"1:50","vectorIndex":{"dimensions":2}},
        {"id":"12:212","name":"in","type":5},{"id":"13:213","name":"seen","type":12},
        {"id":"14:214","name":"author","type":11,"flags":520,"indexId":"2:51","relationTarget":"Author"}],
       "relations":[{"id":"1:90","name":"readers","targetId":"1:100"}]}],
     "lastEntityId":"2:200","lastIndexId":"2:51","lastRelationId":"1:90"}
    """

  private static let keys = (0...9).map { "6ba7b810-9dad-11d1-80b4-00c04fd430c\($0)" }

  /// Ten notes, numbered 1 to 10, and three authors.
  init() throws {
    store = try Store(
      schema: try ModelText.schema(Self.model),
      configuration: .init(directory: "memory:\(UUID().uuidString)")
    )
    let day = 86_400.0
    let authors = try store.box(named: "Author").put(
      ["Ada", "Bob", "Cleo"].enumerated().map { index, name in
        ["name": name, "born": Date(timeIntervalSince1970: Double(index) * 3_650 * day)]
      }
    )
    let notes = try store.box(named: "Note")
    try notes.put((1...10).map { Self.note($0, by: $0 < 9 ? authors[$0 % 3] : nil) })
    try notes.add([authors[0]], to: "readers", of: 4)
    try notes.add([authors[1], authors[2]], to: "readers", of: 5)
  }

  private static func note(_ number: Int, by author: Id?) -> [String: Any?] {
    var note: [String: Any?] = ["stars": number - 5, "done": number % 3 == 0, "in": number]
    if number < 10 { note["title"] = "\(number % 2 == 0 ? "Even" : "odd") \"\(number)\"" }
    note["weight"] = Double(number) / 4
    note["created"] = Date(timeIntervalSince1970: Double(number) * 86_400)
    note["seen"] = Date(timeIntervalSince1970: Double(number))
    note["photo"] = Data([0, UInt8(number)])
    note["key"] = UUID(uuidString: keys[number - 1])
    note["price"] = Decimal(number) / 2
    note["tags"] = ["swift", "n\(number)"]
    note["place"] = [Float(number), 0]
    note["author"] = author
    return note
  }

  private func ids(_ condition: String, of entity: String = "Note") throws -> [Id] {
    try StoreQuery(entity, condition: condition, in: store).query.findIds()
  }

  // MARK: Finding

  @Test(
    arguments: [
      ("", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
      ("  \n ", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
      ("id == 3", [3]), ("id in [9, 2,4]", [2, 4, 9]), ("stars < -2", [1, 2]),
      ("stars<=-2", [1, 2, 3]), ("stars > 4", [10]), ("stars >= 4", [9, 10]),
      ("stars != 0 && stars between 1 and -1", [4, 6]),
      ("stars between -1 AND 1 and done == true", [6]),
      ("stars not in [-4, -3, -2, -1, 0, 1, 2, 3]", [9, 10]),
      ("done == true", [3, 6, 9]), ("done != true && weight < 1.25e0", [1, 2, 4]),
      ("weight == 0.25 or weight == 2", [1, 8]),
      (#"title == 'odd "3"'"#, [3]), (#"title == "odd \"3\"""#, [3]),
      (#"title startsWith "Even""#, [2, 4, 6, 8]),
      (#"title starts with "EVEN" ignoring case"#, [2, 4, 6, 8]),
      (#"title starts with "EVEN" (ignoring case)"#, [2, 4, 6, 8]),
      (#"title endsWith "7\u{22}""#, [7]), (#"title contains "dd \"1""#, [1]),
      ("title is null", [10]), ("title is nil", [10]), ("title == null", [10]),
      ("title is not null && id > 7", [8, 9]), ("title != null && id > 7", [8, 9]),
      ("created == 1970-01-05", [4]), ("created < 1970-01-03T00:00", [1]),
      ("created < 1970-01-03T02:00+02:00", [1]), ("created <= 1970-01-03T00:00:00.000Z", [1, 2]),
      ("created == 345600000", [4]), (#"created > "1970-01-10 12:00""#, [10]),
      ("seen == 1970-01-01T00:00:07Z", [7]), ("photo == 0x0003", [3]), ("photo > 0x0008", [9, 10]),
      ("key == \"6BA7B810-9DAD-11D1-80B4-00C04FD430C2\"", [3]),
      ("key == 6ba7b810-9dad-11d1-80b4-00c04fd430c2", [3]),
      ("price == 1.50", [3]), ("price > 4.4 && price < \"5\"", [9]), ("price in [1, 2]", [2, 4]),
      (#"tags contains "n4""#, [4]), ("place is nearest to [3.2, 0] at most 2", [3, 4]),
      ("place is nearest to [3.2, 0], at most 1", [3]),
      ("`in` == 4", [4]), ("in in [4, 5]", [4, 5]), ("in == 4", [4]),
      (#"author(name == "Ada")"#, [3, 6]), (#"author.name == "Ada""#, [3, 6]),
      ("author.born > 1979-01-01 and id < 4", [1, 2]),
      (#"author(name == "Bob" || name == "Cleo") && id > 6"#, [7, 8]),
      (#"author == 1"#, [3, 6]), ("author is null", [9, 10]),
      (#"readers.name == "Cleo""#, [5]), (#"readers(name startsWith "A")"#, [4]),
      ("(id == 1 || id == 2) && (id == 2 || id == 3)", [2]),
      ("id == 1 || id == 2 && id == 3", [1]), ("((((id == 1))))", [1]),
    ] as [(String, [Id])]
  )
  func `a condition finds the objects that it describes`(_ text: String, _ found: [Id]) throws {
    #expect(try ids(text) == found)
  }

  @Test(
    arguments: [
      ("Note.author(stars == -4)", [2]), ("Note.readers(id == 5)", [2, 3]),
      ("Note.author().count == 2", [1]), ("Note.author().count > 2", [2, 3]),
      ("Note.author(stars > 0).count < 1", []), ("Note.readers().count == 0", []),
      ("Note.author.readers().count == 2", [3]), ("Note.author().sum(stars) == -3", [2]),
      ("Note.author(stars > 0).max(stars) > 2", [3]),
      ("Note.author().average(weight) >= 1.25", [3]),
      ("Note.author().min(created) < 1970-01-03T00:00:00.0005", [2, 3]),
      ("Note.author().max(seen) <= \"1970-01-01 00:00:07\"", [1, 2]),
      ("Note.readers().min(weight) != 1", [2, 3]),
      ("Note.author().min(title) < \"Even \\\"5\\\"\"", [2, 3]),
      ("Note.author.stars == -4", [2]), ("Note.readers.author.name == \"Ada\"", []),
    ] as [(String, [Id])]
  )
  func `a relation of another entity leads backwards`(_ text: String, _ found: [Id]) throws {
    #expect(try ids(text, of: "Author") == found)
  }

  /// A quote may be joined to one character with a scalar beside it.
  @Test func `quotes end texts and names, whatever stands beside them`() throws {
    let notes = try store.box(named: "Note")
    let texts = [
      "\u{301}x", "a\u{600}", "\u{600}", "\\\u{301}", "\r\n", "👩‍👧", "e\u{301}", "é\u{200D}",
    ]
    let found = try texts.map { text in
      let id = try notes.put(["title": text])
      let quoted = text.unicodeScalars.map { $0 == "\\" ? "\\\\" : String($0) }.joined()
      for quote in ["\"", "'"] {
        let condition = "title == \(quote)\(quoted)\(quote)"
        #expect(try ids(condition) == [id], "\(text.debugDescription)")
        #expect(try ids(condition + " || title == \"\"") == [id], "\(text.debugDescription)")
      }
      return id
    }
    #expect(try ids("`title` == \"\u{301}x\"|| id == 1") == [1, found[0]])
    #expect(throws: ConditionFault.self) { try ids("title == \"\\\u{301}\"") }
  }

  @Test func `a backtick in a name is doubled`() throws {
    let model = """
      {"entities":[{"id":"1:100","lastPropertyId":"2:102","name":"N","properties":[
        {"id":"1:101","name":"id","type":6,"flags":1},
        {"id":"2:102","name":"a`b\u{600}","type":9}],"relations":[]}],
       "lastEntityId":"1:100","lastIndexId":"0:0","lastRelationId":"0:0"}
      """
    let store = try Store(
      schema: try ModelText.schema(model),
      configuration: .init(directory: "memory:\(UUID().uuidString)")
    )
    let id = try store.box(named: "N").put(["a`b\u{600}": "x"])
    let query = try StoreQuery("N", condition: "`a``b\u{600}` == \"x\"", in: store).query
    #expect(try query.findIds() == [id])
  }

  @Test func `nanoseconds are compared by all their digits`() throws {
    let notes = try store.box(named: "Note")
    let index = try #require(store.schema.index(ofEntity: "Note"))
    let seen = try #require(store.schema.entities[index].properties.first { $0.name == "seen" })
    let ticks: [Int64] = [
      1_767_225_600_123_456_788, 1_767_225_600_123_456_789, 1_767_225_600_123_456_790, .min, .max,
    ]
    let text = "2026-01-01T00:00:00.123456789Z"
    try notes.removeAll()
    try store.writingStored { writing in
      for (place, ticks) in ticks.enumerated() {
        try writing.put(entity: index, id: UInt64(place + 1)) { $0(seen, .integer(ticks)) }
      }
    }
    #expect(try ids("seen == \(text)") == [2])
    #expect(try ids("seen == \(ticks[1])") == [2])
    #expect(try ids("seen != \(text)") == [1, 3, 4, 5])
    #expect(try ids("seen < \(text)") == [1, 4])
    #expect(try ids("seen <= \(text)") == [1, 2, 4])
    #expect(try ids("seen > \(text)") == [3, 5])
    #expect(try ids("seen >= \(text)") == [2, 3, 5])
    #expect(try ids("seen between \(text) and \(ticks[0])") == [1, 2])
    #expect(try ids("seen in [\(text), \(ticks[2])]") == [2, 3])
    #expect(try ids("seen not in [\(text), \(ticks[2])]") == [1, 4, 5])
    #expect(try ids("seen == 1677-09-21T00:12:43.145224192Z") == [4])
    #expect(try ids("seen == 2262-04-11T23:47:16.854775807Z") == [5])
  }

  @Test func `a date beyond the nanoseconds of 64 bits is before or behind all of them`() throws {
    #expect(try ids("seen < 9999-12-31 && id < 3") == [1, 2])
    #expect(try ids("seen > 0001-01-01 && id < 3") == [1, 2])
    #expect(try ids("seen between 0001-01-01 and 9999-12-31 && id < 3") == [1, 2])
    for text in [
      "seen > 9999-12-31", "seen >= 9999-12-31", "seen == 9999-12-31", "seen < 0001-01-01",
      "seen <= 0001-01-01", "seen in [0001-01-01, 9999-12-31]",
      "seen between 2300-01-01 and 9999-12-31", "seen between 0001-01-01 and 0002-01-01",
    ] {
      #expect(try ids(text) == [], "\(text)")
    }
    #expect(try ids("seen != 9999-12-31 && id < 3") == [1, 2])
    #expect(try ids("seen not in [9999-12-31] && id < 3") == [1, 2])
  }

  /// A property's dates have whole milliseconds; the text of a condition may have more digits.
  @Test func `a part of a millisecond is neither cut off nor rounded`() throws {
    let half = "1970-01-05T00:00:00.0005Z"
    #expect(try ids("created == \(half)") == [])
    #expect(try ids("created in [\(half), 1970-01-06]") == [5])
    #expect(try ids("created < \(half)") == [1, 2, 3, 4])
    #expect(try ids("created <= \(half)") == [1, 2, 3, 4])
    #expect(try ids("created > \(half) && id < 7") == [5, 6])
    #expect(try ids("created >= \(half) && id < 7") == [5, 6])
    #expect(try ids("created between \(half) and 1970-01-06") == [5])
    #expect(try ids("created between 1970-01-06 and 1970-01-04T23:59:59.9995Z") == [4, 5])
    #expect(try ids("created between \(half) and 1970-01-05T00:00:00.0007Z") == [])
    #expect(try ids("created != \(half) && id < 3") == [1, 2])
  }

  @Test func `the exact date of a condition stands in its plan`() throws {
    let text = "seen >= 2026-01-01T00:00:00.123456789Z"
    let words = try StoreQuery("Note", condition: text, in: store).query.debugDescription
    #expect(words.contains(text), "\(words)")
    let old = try StoreQuery("Note", condition: "created < 1066-10-14", in: store).query
    #expect(old.debugDescription.contains("created < 1066-10-14T00:00:00Z"))
  }

  @Test func `IDs are compared without a sign`() throws {
    let index = try #require(store.schema.index(ofEntity: "Author"))
    let middle = UInt64(Int64.max)
    try store.writingStored { writing in
      for id in [middle, middle + 1, middle + 9, UInt64.max - 1] {
        try writing.put(entity: index, id: id) { _ in }
      }
    }
    func found(_ text: String) throws -> [UInt64] { try ids(text, of: "Author").map(\.value) }
    #expect(try found("id > 2") == [3, middle, middle + 1, middle + 9, .max - 1])
    #expect(try found("id < \(middle + 9)") == [1, 2, 3, middle, middle + 1])
    #expect(try found("id >= \(middle + 1)") == [middle + 1, middle + 9, .max - 1])
    #expect(try found("id <= \(UInt64.max - 1) && id > \(middle)").count == 3)
    #expect(try found("id between 3 and \(middle + 1)") == [3, middle, middle + 1])
    #expect(try found("id == \(UInt64.max - 1)") == [.max - 1])
    #expect(try found("id != \(UInt64.max - 1)").count == 6)
    #expect(try found("id in [1, \(middle + 9)]") == [1, middle + 9])
    #expect(try found("id not in [1, \(middle + 9)]") == [2, 3, middle, middle + 1, .max - 1])
    let query = try StoreQuery("Author", condition: "id > \(middle + 9)", in: store).query
    #expect(query.debugDescription.contains("id > \(middle + 9)"))
  }

  @Test func `orders ascend, or descend behind a minus sign`() throws {
    let query = try StoreQuery("Note", condition: "id < 7", orders: ["done", "-weight"], in: store)
    #expect(try query.query.findIds() == [5, 4, 2, 1, 6, 3])
    #expect(throws: ObjectBoxError.self) {
      try StoreQuery("Note", condition: "", orders: ["wait"], in: store)
    }
  }

  /// The words of a plan can be parsed.
  @Test(
    arguments: [
      "stars < 3 && (title starts with \"a\" || done == true)", "weight between 1.0 and 2.0",
      "stars in [1, 2]", "stars not in [1]", "title is nil", "title is not nil",
      "title == \"A\" (ignoring case)", "created >= 1970-01-05",
    ]
  )
  func `the words of a plan are read again`(_ text: String) throws {
    func words(_ text: String) throws -> String {
      let words = try StoreQuery("Note", condition: text, in: store).query.debugDescription
      let start = try #require(words.range(of: "conditions: ") ?? words.range(of: "condition: "))
      return String(words[start.upperBound...].dropLast(2))
    }
    let once = try words(text)
    #expect(try words(once) == once)
  }

  // MARK: Faults

  private static let faults: [(String, String, String, String)] = [
    (
      "titel == \"a\"", "'Note' has no property 'titel'; it has 'id', 'title', 'stars'",
      "titel == \"a\"", "^~~~~"
    ),
    ("stars = 3", "'=' has no meaning here; write '=='", "stars = 3", "      ^"),
    (
      "stars > \u{663}", "'\u{663}' has no meaning here; write numbers with", "stars > ",
      "        ^"
    ),
    ("!done", "'!' has no meaning here; write '!=', 'not in' or 'is not null'", "!done", "^"),
    ("stars ==", "a value is expected here", "stars ==", "        ^"),
    ("stars", "a comparison is expected here, such as 'stars == …'", "stars", "     ^"),
    (
      "stars == 1 stars == 2", "the condition ends before this", "stars == 1 stars",
      "           ^~~~~"
    ),
    ("(stars == 1", "')' is expected here, to close", "(stars == 1", "           ^"),
    ("stars == 1)", "the condition ends before this", "stars == 1)", "          ^"),
    (
      "title == Ada", "a value is expected here; write texts in quotes", "title == Ada",
      "         ^~~"
    ),
    (
      "title == \"Ada", "the text has no end; close it with \"", "title == \"Ada", "         ^~~~"
    ),
    ("title == \"\\q\"", "this is no escape", "title ==", "          ^~"),
    ("stars == 1.5", "'Note.stars' of type byte was given 1.5", "stars == 1.5", "^~~~~~~~~~~~"),
    (
      "stars == 300", "'Note.stars' of type byte was given 300, which is not in -128...127",
      "stars", "^~"
    ),
    ("title > 3", "'Note.title' of type string was given 3", "title > 3", "^~~~~~~~~"),
    (
      "tags between \"a\" and \"b\"",
      "'Note.tags' of type stringVector has no condition 'between'", "tags", "^"
    ),
    (
      "created == 1990-02-31", "'1990-02-31' is no date; write 1990-01-31", "created",
      "           ^~~~~~~~~~"
    ),
    ("created == 1990-01-01T25:00", "is no date", "created", "           ^"),
    ("created == true", "a date is expected here", "created", "           ^~~~"),
    (
      "created in [1990-01-01, true]", "a date is expected here", "created",
      "                        ^"
    ),
    ("photo == 0x+f", "'0x+f' is no number, no date and no bytes", "photo", "         ^~~~"),
    ("weight == 12x", "'12x' is no number, no date and no bytes", "weight", "          ^~~"),
    ("stars < null", "null is neither less nor greater", "stars < null", "        ^~~~"),
    ("stars in 3", "'[' is expected here, to begin a list", "stars in 3", "         ^"),
    ("stars between 1", "'and' is expected here", "stars between 1", "               ^"),
    ("key == \"abc\"", "'abc' is no UUID", "key", "       ^~~~~"),
    (
      "writer.name == \"a\"", "'Note' has no relation 'writer'; it has 'author', 'readers'",
      "writer", "^~~~~~"
    ),
    ("author.nam == \"a\"", "'Author' has no property 'nam'", "author.nam", "       ^~~"),
    (
      "readers == 3", "'readers' is a relation to 'Author': write 'readers(…)'", "readers",
      "^~~~~~~"
    ),
    (
      "Author.name == \"a\"", "'Note' has no relation 'Author'; it has 'author', 'readers'",
      "Author", "^~~~~~"
    ),
    (
      "Author.name(id == 1)", "'Author.name' is no relation to 'Note'; it has none", "Author",
      "^~~~~~~~~~~"
    ),
    (
      "title is nearest to [1] at most 2", "a query asks for the nearest neighbours", "title",
      "^~"
    ),
    ("place is nearest to [1] at most 2", "dimensions", "place", "^~"),
    (
      "place is nearest to [1, 2]", "'at most' and the number", "place",
      "                          ^"
    ),
    (
      "readers().sum(nam) > 1", "'Author' has no property 'nam'; it has 'id', 'name', 'born'",
      "readers",
      "              ^~~"
    ),
    (
      "readers().max(name) > 1", "compares the max of 'name' of type string", "readers",
      "              ^~~~"
    ),
    (
      "readers().sum(id) > 1.5", "a whole number is expected here", "readers",
      "                    ^~~"
    ),
    (
      "readers().most > 1", "'count', 'sum', 'average', 'min' or 'max' is expected here",
      "readers",
      "          ^~~~"
    ),
    (
      "readers().max(born) > true", "a date is expected here", "readers",
      "                      ^~~~"
    ),
    ("id == 1 &&\n  stars == x", "a value is expected here", "  stars == x", "           ^"),
  ]

  @Test(arguments: faults)
  func `a fault is told with its place`(
    _ text: String,
    _ message: String,
    _ line: String,
    _ mark: String
  ) throws {
    let fault = #expect(throws: (any Error).self) { try ids(text) }
    let lines = "\(try #require(fault))".components(separatedBy: "\n")
    try #require(lines.count == 3)
    #expect(lines[0].hasPrefix(message) || lines[0].contains(message), "\(lines[0])")
    #expect(lines[1].hasPrefix("  " + line))
    #expect(lines[2].hasPrefix("  " + mark), "\(lines[2])")
  }

  @Test func `deep parentheses are refused, and not run into`() throws {
    let text = String(repeating: "(", count: 100_000) + "id == 1"
    let fault = #expect(throws: ConditionFault.self) { try ids(text) }
    #expect(fault?.text == "there are more than 100 parentheses in each other")
  }

  @Test(arguments: 0..<40)
  func `no text of pieces of conditions stops the process`(_ seed: Int) throws {
    let pieces = [
      "id", "title", "author", ".", "(", ")", "[", "]", ",", "==", "<", "in", "not", "is", "null",
      "\"a\"",
      "1", "-", "0x", "1990-01-01", "&&", "||", "and", "or", "`", "'", "\\", "startsWith", "é", "👩‍👧",
      "\u{0}",
      "between", "nearest", "to", "at", "most", "ignoring", "case", " ", "\n", "Note", "readers",
    ]
    var random = SplitMix(seed: seed)
    for _ in 0..<200 {
      let count = Int.random(in: 1...14, using: &random)
      let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined(separator: Bool.random(using: &random) ? " " : "")
      do { _ = try ids(text) } catch { #expect(!"\(error)".isEmpty) }
    }
  }
}
