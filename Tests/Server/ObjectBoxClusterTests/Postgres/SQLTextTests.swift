import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxCluster

/// Foreign names and texts cannot end their SQL quotes early.
struct SQLTextTests {
  /// All scalars except U+0000, which PostgreSQL cannot store.
  private static var scalars: some Sequence<Unicode.Scalar> {
    (1...UInt32(0x10FFFF)).lazy.compactMap(Unicode.Scalar.init)
  }

  /// Reads a quoted name by the rule of PostgreSQL's scanner, which works on bytes.
  private static func name(_ sql: [UInt8]) -> [UInt8]? {
    content(sql[...], quote: UInt8(ascii: "\""))
  }

  /// Reads a literal by the rule of PostgreSQL's scanner, which works on bytes.
  private static func text(_ sql: [UInt8]) -> [UInt8]? {
    let quote = UInt8(ascii: "'")
    return sql.first == quote
      ? content(sql[...], quote: quote)
      : sql.starts(with: Array(" E".utf8)) ? content(sql[2...], quote: quote, escapes: true) : nil
  }

  /// Returns the bytes between two quotes; nil unless the closing quote is the last byte.
  private static func content(
    _ sql: ArraySlice<UInt8>,
    quote: UInt8,
    escapes: Bool = false
  ) -> [UInt8]? {
    guard sql.first == quote else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(sql.count)
    var place = sql.startIndex + 1
    while place < sql.endIndex {
      let byte = sql[place]
      let isEscape = escapes && byte == UInt8(ascii: "\\")
      if byte == quote || isEscape {
        place += 1
        if place == sql.endIndex { return isEscape ? nil : bytes }
        // A doubled quote or backslash.
        guard sql[place] == byte else { return nil }
      }
      bytes.append(byte)
      place += 1
    }
    return nil
  }

  @Test(.tags(.slow)) func `every scalar may stand before and behind quotes and backslashes`() {
    var name = ""
    var text = ""
    var plain = ""
    func check() {
      #expect(Self.name(Array(name.quotedName.utf8)) == Array(name.utf8))
      #expect(Self.text(Array(text.quotedText.utf8)) == Array(text.utf8))
      #expect(Self.text(Array(plain.quotedText.utf8)) == Array(plain.utf8))
      (name, text, plain) = ("", "", "")
    }
    for (count, scalar) in Self.scalars.enumerated() {
      for part: Unicode.Scalar in [scalar, "\"", scalar] { name.unicodeScalars.append(part) }
      for part: Unicode.Scalar in [scalar, "'", scalar, "\\", scalar] {
        text.unicodeScalars.append(part)
      }
      if scalar != "\\" {
        for part: Unicode.Scalar in [scalar, "'", scalar] { plain.unicodeScalars.append(part) }
      }
      if count.isMultiple(of: 4_096) { check() }
    }
    check()
  }

  @Test(arguments: [
    "", "\"", "'", "\\", "\"\"", "\\'", "a'b", "\u{600}'\u{301}", "\u{600}\\\u{301}",
  ])
  func `each text is one constant and one name`(_ text: String) {
    #expect(Self.name(Array(text.quotedName.utf8)) == Array(text.utf8))
    #expect(Self.text(Array(text.quotedText.utf8)) == Array(text.utf8))
  }

  #if OBJECTBOX_LIBPQ
    @Test(arguments: ["\u{301}secret", "secret\u{600}", "e\u{301}secret", "secret"])
    func `no message has a password, whatever stands beside it`(_ password: String) throws {
      let address = try ConnectionAddress("host=db password='\(password)'")
      for mark in ["", "\u{301}", "\u{600}"] {
        let message = "no entry for \"\(mark)\(password)\(mark)\""
        let left = Array(address.scrubbed(message).utf8)
        #expect(left.firstRange(of: Array("ecre".utf8)) == nil)
      }
    }
  #endif
}

/// Foreign names and texts, read by a server.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct SQLTextServerTests {
  private static let marks: [Unicode.Scalar] = [
    "\u{301}", "\u{600}", "\u{6DD}", "\u{200D}", "\u{200C}", "\u{20DD}", "\u{FE0F}", "\u{1F3FB}",
    "\u{1F1E6}", "\u{110BD}", "\u{903}", "\u{AD}", "\u{1}", "\n", "\r", "\u{7F}", "\u{85}",
    "\u{2028}",
    "\u{FEFF}", "\u{FFFE}", "\u{10FFFF}", "a", "世",
  ]

  /// Quotes and backslashes between marks, and a sample of all scalars.
  private static let samples: [String] = {
    var all = marks
    all += (1...UInt32(0x10FFFF)).lazy.filter { $0.isMultiple(of: 9_973) }
      .compactMap(Unicode.Scalar.init)
    return all.flatMap { scalar in
      ["\"", "'", "\\", "\\'", "\"); DROP TABLE x; --"].map { "\(scalar)\($0)\(scalar)" }
    } + ["\r\n'", "'\r\n", "\\\r\n"]
  }()

  @Test func `texts come back as they were sent`() async throws {
    let database = try await TestDatabase()
    for start in stride(from: 0, to: Self.samples.count, by: 100) {
      let samples = Self.samples[start..<min(start + 100, Self.samples.count)]
      let rows = try await database.connection.run([
        Statement(once: "SELECT \(samples.map(\.quotedText).joined(separator: ", "))")
      ])[0]
      for (column, sample) in samples.enumerated() {
        #expect(rows.text(0, column).map { Array($0.utf8) } == Array(sample.utf8))
      }
    }
  }

  @Test func `columns have the names that they were given`() async throws {
    let database = try await TestDatabase()
    for start in stride(from: 0, to: Self.samples.count, by: 100) {
      let samples = Self.samples[start..<min(start + 100, Self.samples.count)]
      let columns = samples.enumerated().map { "\("\($0)\($1)".quotedName) int" }
      let rows = try await database.connection.run([
        Statement(once: "BEGIN"),
        Statement(once: "CREATE TEMPORARY TABLE names (\(columns.joined(separator: ", ")))"),
        Statement(
          once:
            "SELECT attname::text FROM pg_attribute WHERE attrelid = 'names'::regclass AND attnum > 0 ORDER BY attnum"
        ), Statement(once: "ROLLBACK"),
      ])[2]
      for (row, sample) in samples.enumerated() {
        #expect(rows.text(row, 0).map { Array($0.utf8) } == Array("\(row)\(sample)".utf8))
      }
    }
  }

  private func model(entity: String = "Note", property: String = "title") -> TestModel {
    var model = TestModel()
    model.entity(entity, 1) { entity in
      entity.property("id", 11, .long, flags: 1)
      entity.property(property, 12, .string)
    }
    return model
  }

  @Test func `a name with a quote before a combining mark is a name`() async throws {
    let database = try await TestDatabase()
    let name = "a\"\u{301} int); DROP SCHEMA public; --"
    let escaped = name.replacingOccurrences(of: "\\", with: "\\\\")
      .unicodeScalars.map { $0 == "\"" ? "\\\"" : String($0) }.joined()
    try await database.open(model(entity: escaped, property: escaped))
    #expect(try await database.columns(name) == ["\(name) text", "\(name)~ text", "id bigint"])
    #expect(try await database.value("SELECT to_regnamespace('public')::text") == "public")
  }

  @Test(arguments: [
    ("a\u{200D}b", "U+200D"), ("\u{600}", "U+0600"), ("a\\u0001", "U+0001"), ("\\u0000", "U+0000"),
    ("\u{2028}", "U+2028"), ("x\u{E0041}", "U+E0041"), ("\\u007f", "U+007F"),
  ])
  func `a name with characters that nobody sees is refused`(_ name: String, _ code: String)
    async throws
  {
    let database = try await TestDatabase()
    for model in [model(entity: name), model(property: name)] {
      let error = await #expect(throws: ClusterError.self) { try await database.open(model) }
      guard case .schemaConflict(let message)? = error else {
        Issue.record("\(error.map { "\($0)" } ?? "none")")
        continue
      }
      #expect(message.contains("has the control or format character \(code)"), "\(message)")
      #expect(message.contains("'Note") || message.contains("entity '"))
      #expect(message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
    }
    #expect(
      try await database.value(
        "SELECT to_regnamespace(\(database.namespace.quotedName.quotedText))::text"
      ) == nil
    )
  }

  @Test func `a catalogue with a name that nobody sees is refused`() async throws {
    let database = try await TestDatabase()
    try await database.open(model())
    let hostile = #"replace(model, '"title"', '"ti\u200dtle"')"#
    try await database.sql("UPDATE @objectbox_model SET model = \(hostile)")
    let configuration = TestServer.configuration(in: database.namespace)
    let error = await #expect(throws: ClusterError.self) {
      _ = try await DynamicCluster(configuration)
    }
    #expect(
      error?.message.contains("the catalogue of the database has property 'Note.ti\\u{200d}tle'")
        == true,
      "\(error?.message ?? "")"
    )
  }

  @Test func `a schema of the database with a name that nobody sees is refused`() async throws {
    let configuration = TestServer.configuration(in: "a\u{600}b")
    let error = await #expect(throws: ClusterError.self) {
      _ = try await Cluster(configuration: configuration)
    }
    #expect(error?.message.contains("U+0600") == true, "\(error?.message ?? "")")
  }
}
