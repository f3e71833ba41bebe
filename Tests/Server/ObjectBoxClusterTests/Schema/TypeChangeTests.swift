import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct TypeChangeTests {
  struct Form: Sendable {
    var type: PropertyType
    var flags = 0
    var more = ""
  }

  struct Change: Sendable {
    var from: Form
    var to: Form
    var column: String
    var values: [(old: String, new: String)]
  }

  private func model(_ form: Form) -> TestModel {
    var model = TestModel()
    model.entity("Value", 1) {
      $0.property("id", 11, .long, flags: 1)
      $0.property("value", 12, form.type, flags: form.flags, form.more)
    }
    return model
  }

  static let unsigned = 8192
  static let changes: [Change] = [
    Change(
      from: Form(type: .byte),
      to: Form(type: .byte, flags: unsigned),
      column: "value smallint",
      values: [("-1", "255"), ("-128", "128"), ("5", "5")]
    ),
    Change(
      from: Form(type: .byte, flags: unsigned),
      to: Form(type: .byte),
      column: "value smallint",
      values: [("255", "-1"), ("127", "127"), ("128", "-128")]
    ),
    Change(
      from: Form(type: .short),
      to: Form(type: .char, flags: unsigned),
      column: "value integer",
      values: [("-1", "65535"), ("32767", "32767")]
    ),
    Change(
      from: Form(type: .short, flags: unsigned),
      to: Form(type: .short),
      column: "value smallint",
      values: [("65535", "-1"), ("32768", "-32768")]
    ),
    Change(
      from: Form(type: .int),
      to: Form(type: .int, flags: unsigned),
      column: "value bigint",
      values: [("-1", "4294967295")]
    ),
    Change(
      from: Form(type: .int, flags: unsigned),
      to: Form(type: .int),
      column: "value integer",
      values: [("4294967295", "-1"), ("2147483648", "-2147483648")]
    ),
    Change(
      from: Form(type: .long),
      to: Form(type: .long, flags: unsigned),
      column: "value bigint",
      values: [("-1", "-1")]
    ),
    Change(
      from: Form(type: .byte),
      to: Form(type: .long),
      column: "value bigint",
      values: [("-128", "-128")]
    ),
    Change(
      from: Form(type: .int, flags: unsigned),
      to: Form(type: .long),
      column: "value bigint",
      values: [("4294967295", "4294967295")]
    ),
    Change(
      from: Form(type: .float),
      to: Form(type: .double),
      column: "value double precision",
      values: [("1.5", "1.5"), ("'NaN'", "NaN")]
    ),
    Change(
      from: Form(type: .byteVector, more: #""externalType":102"#),
      to: Form(type: .byteVector),
      column: "value bytea",
      values: [
        ("'00112233-4455-6677-8899-aabbccddeeff'", "\\x00112233445566778899aabbccddeeff")
      ]
    ),
    Change(
      from: Form(type: .byteVector),
      to: Form(type: .byteVector, more: #""externalType":102"#),
      column: "value uuid",
      values: [
        ("'\\x00112233445566778899aabbccddeeff'", "00112233-4455-6677-8899-aabbccddeeff")
      ]
    ),
    Change(
      from: Form(type: .string),
      to: Form(type: .string, more: #""externalType":103"#),
      column: "value numeric",
      values: [("'12.50'", "12.50"), ("'-1E+2'", "-100"), ("'.5'", "0.5")]
    ),
    Change(
      from: Form(type: .string, more: #""externalType":103"#),
      to: Form(type: .string),
      column: "value text",
      values: [("12.50", "12.50")]
    ),
  ]

  @Test(arguments: changes.indices)
  func valuesAreKeptWhereTheyCanBe(index: Int) async throws {
    let change = Self.changes[index]
    let database = try await TestDatabase()
    try await database.open(model(change.from))
    for (index, value) in change.values.enumerated() {
      try await database.sql(
        "INSERT INTO @\"Value\" (id, value) VALUES (\(index + 1), \(value.old))"
      )
    }
    try await database.sql("INSERT INTO @\"Value\" (id) VALUES (100)")
    try await database.open(model(change.to))
    #expect(try await database.columns("Value").contains(change.column))
    let found = try await database.sql("SELECT value::text FROM @\"Value\" ORDER BY id")
    #expect(found == change.values.map { [$0.new] } + [[nil]])
  }

  static let losses: [(Form, Form)] = [
    (Form(type: .long), Form(type: .int)),
    (Form(type: .byte), Form(type: .short, flags: unsigned)),
    (Form(type: .double), Form(type: .float)),
    (Form(type: .string), Form(type: .long)),
    (Form(type: .long), Form(type: .date)),
    (Form(type: .date), Form(type: .dateNano)),
    (Form(type: .intVector), Form(type: .longVector)),
    (Form(type: .shortVector), Form(type: .charVector)),
  ]

  @Test(arguments: losses.indices)
  func changesThatCouldLoseValuesAreRefused(index: Int) async throws {
    let database = try await TestDatabase()
    try await database.open(model(Self.losses[index].0))
    let columns = try await database.columns("Value")
    let error = await #expect(throws: ClusterError.self) {
      try await database.open(model(Self.losses[index].1))
    }
    guard case .schemaConflict(let message) = try #require(error) else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(message.contains("'Value.value'"))
    let advice = try #require(message.range(of: "objectbox: migratedFrom = \"value\""))
    #expect(message[advice.upperBound...].contains("objectbox: uid"))
    #expect(try await database.columns("Value") == columns)
  }

  @Test(arguments: ["many", "NaN", "Infinity", " 1.75", "1.75 ", ""])
  func textsThatAreNoDecimalsAreToldAndKept(text: String) async throws {
    let database = try await TestDatabase()
    try await database.open(model(Form(type: .string)))
    try await database.sql("INSERT INTO @\"Value\" VALUES (1, '\(text)', '\(text.lowercased())')")
    let error = await #expect(throws: ClusterError.self) {
      try await database.open(model(Form(type: .string, more: #""externalType":103"#)))
    }
    guard case .schemaConflict(let message) = try #require(error) else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(text.isEmpty || !message.contains(text))
    #expect(try await database.value("SELECT value FROM @\"Value\"") == text)
  }

  @Test func newFoldedColumnsAreFilledByTheClientsFolding() async throws {
    let database = try await TestDatabase()
    try await database.open(model(Form(type: .string, more: #""externalType":103"#)))
    try await database.sql(
      "INSERT INTO @\"Value\" (id, value) SELECT i, i FROM generate_series(1, 11000) i"
    )
    try await database.sql("INSERT INTO @\"Value\" (id, value) VALUES (20000, 'NaN')")
    try await database.open(model(Form(type: .string)))
    let folded = try await database.sql(
      "SELECT count(*)::text, count(\"value~\")::text, max(\"value~\") FROM @\"Value\""
    )
    #expect(folded == [["11001", "11001", "nan"]])
  }
}
