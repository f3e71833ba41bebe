import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

/// Checks of `import` and `load` on values of which a schema knows more than their storage.
struct CheckedValueTests {
  private let tool: BuiltProgram
  private static let model = """
    {
      "entities": [{
        "id": "1:1011", "lastPropertyId": "6:1106", "name": "Price",
        "properties": [
          {"id": "1:1101", "name": "id", "type": 6, "flags": 1},
          {"id": "2:1102", "name": "amount", "type": 9, "externalType": 103},
          {"id": "3:1103", "name": "isNet", "type": 1},
          {"id": "4:1104", "name": "key", "type": 23, "externalType": 102},
          {"id": "5:1105", "name": "date", "type": 10},
          {"id": "6:1106", "name": "scan", "type": 23}
        ],
        "relations": []
      }],
      "lastEntityId": "1:1011", "lastIndexId": "0:0", "lastRelationId": "0:0",
      "modelVersion": 5, "modelVersionParserMinimum": 4, "version": 1
    }
    """

  init() throws {
    tool = try BuiltProgram("objectbox")
    _ = try tool.folder.write(Self.model, to: "model.json")
    let store = try open()
    store.close()
  }

  private func open() throws -> Store {
    try Store(
      directoryPath: tool.folder.path + "/prices",
      modelJSON: URL(filePath: tool.folder.path + "/model.json")
    )
  }

  private func objects() throws -> [DynamicObject] {
    let store = try open()
    defer { store.close() }
    return try store.box(named: "Price").all()
  }

  private func importing(_ text: String, name: String) throws -> BuiltProgram.Result {
    _ = try tool.folder.write(text, to: name)
    return try tool.run(["import", "prices", "Price", name])
  }

  @Test(arguments: [
    "1,50", "abc", "NaN", "1e200", "0x10", " 1", "1 ", "\"\"", "--1", "1.2.3", "1E00005",
    "1e-00001",
  ])
  func `a text that is no decimal is refused by import`(_ text: String) throws {
    let cell = text.contains(",") ? "\"\(text)\"" : text
    let csv = try importing("amount\n1.5\n\(cell)\n", name: "in.csv")
    #expect(csv.status == 1)
    #expect(csv.errors.contains("in.csv:3:1: 'Price.amount' is"), "\(csv.errors)")
    #expect(csv.errors.contains("a decimal number"), "\(csv.errors)")
    let value = text == "\"\"" ? "" : text
    let json = try importing(#"{"amount":"\#(value)"}"# + "\n", name: "in.jsonl")
    #expect(json.status == 1)
    #expect(json.errors.contains("a decimal number"), "\(json.errors)")
    #expect(try objects().isEmpty)
  }

  @Test func `decimals come from texts and from numbers`() throws {
    let result = try importing(
      #"{"amount":"1.50"}"# + "\n" + #"{"amount":2.25}"# + "\n" + #"{"amount":"-1E+2"}"# + "\n",
      name: "in.jsonl"
    )
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      try objects().map { try $0.value(of: "amount", as: Decimal.self) } == [
        Decimal(string: "1.5"), Decimal(string: "2.25"), -100,
      ]
    )
    let verified = try tool.run("verify", "prices")
    #expect(verified.status == 0, "\(verified.output)")
  }

  @Test(
    arguments: [
      #"{"isNet":2}"#, #"{"isNet":-1}"#, #"{"isNet":"true"}"#, #"{"key":"AAAA"}"#,
      #"{"amount":"\u+031"}"#, #"{"amount":01}"#, #"{"scan":"YQ"}"#, #"{"scan":"===="}"#,
      #"{"scan":"YQ======"}"#,
      #"{"scan":"YQ=A"}"#, #"{"scan":"AA=A"}"#, #"{"scan":"YQ==YQ=="}"#,
      #"{"amount":+1}"#, #"{"amount":.5}"#, #"{"amount":1.}"#, #"{"date":"1990-02-30"}"#,
    ]
  )
  func `what is no value of the property's type is refused`(_ line: String) throws {
    let result = try importing(line + "\n", name: "in.jsonl")
    #expect(result.status == 1)
    #expect(result.errors.contains("in.jsonl:1:"), "\(result.errors)")
    #expect(try objects().isEmpty)
  }

  @Test func `a mark of the byte order at the beginning is skipped`() throws {
    #expect(try importing("\u{FEFF}{\"isNet\":true}\n", name: "in.jsonl").status == 0)
    #expect(try importing("\u{FEFF}isNet\nfalse\n", name: "in.csv").status == 0)
    #expect(try objects().map { try $0.value(of: "isNet", as: Bool.self) } == [true, false])
  }

  @Test(
    arguments: [
      ("2020-01-01T00:00:00.0014Z", 1), ("2020-01-01T00:00:00.0015Z", 2),
      ("2020-01-01T00:00:00.0019999Z", 2), ("2020-01-01T00:00:00.9999Z", 1000),
    ]
  )
  func `fractions of a millisecond are rounded as a put rounds them`(
    _ text: String,
    _ milliseconds: Int
  )
    throws
  {
    #expect(try importing(#"{"date":"\#(text)"}"# + "\n", name: "in.jsonl").status == 0)
    let start = Date(timeIntervalSince1970: 1_577_836_800)
    let date = try #require(try objects().first?.value(of: "date", as: Date.self))
    #expect((date.timeIntervalSince(start) * 1000).rounded() == Double(milliseconds))
  }

  @Test(
    arguments: [
      // Seconds that a Date holds exactly; 62.5 and 937.5 milliseconds are halves.
      ("2020-01-01T00:00:00.0625Z", 1_577_836_800.0625),
      ("1969-12-31T23:59:59.9375Z", -0.0625), ("1969-12-31T23:59:59.0625Z", -0.9375),
      ("1970-01-01T00:00:00.9375Z", 0.9375), ("1950-06-01T12:00:00.0625Z", -618_062_399.9375),
      ("2020-01-01T00:00:00.015625Z", 1_577_836_800.015625),
    ]
  )
  func `import and put store the same number for a date`(_ text: String, _ seconds: Double) throws {
    #expect(try importing(#"{"date":"\#(text)"}"# + "\n", name: "in.jsonl").status == 0)
    #expect(try importing("date\n\(text)\n", name: "in.csv").status == 0)
    let store = try open()
    _ = try store.box(named: "Price").put(["date": Date(timeIntervalSince1970: seconds)])
    store.close()
    let stored = try tool.run("query", "prices", "Price", "--columns", "date", "--format", "json")
      .output.split(separator: "\n")
    #expect(stored.count == 3 && Set(stored).count == 1, "\(stored)")
  }

  @Test func `load refuses a text that is no decimal, and verify finds one that was stored`() throws
  {
    let store = try open()
    try store.box(named: "Price").put(["amount": Decimal(1)])
    store.close()
    let dump = try tool.run("dump", "prices").output
    let wrong = dump.replacing(#""amount":"1""#, with: #""amount":"1,5""#)
    _ = try tool.folder.write(wrong, to: "dump.jsonl")
    let refused = try tool.run("load", "other", "dump.jsonl")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("a decimal number"), "\(refused.errors)")
    // A program whose model knows only a text stores any text.
    let plain = Self.model.replacing(#", "externalType": 103"#, with: "")
    _ = try tool.folder.write(plain, to: "plain.json")
    let other = try Store(
      directoryPath: tool.folder.path + "/prices",
      modelJSON: URL(filePath: tool.folder.path + "/plain.json")
    )
    try other.box(named: "Price").put(["amount": "1,5"])
    other.close()
    try open().close()
    let verified = try tool.run("verify", "prices")
    #expect(verified.status == 1)
    #expect(
      verified.output.contains("'amount'") && verified.output.contains("1,5"),
      "\(verified.output)"
    )
    // The dump holds the bytes, and a load restores them.
    let exact = try tool.run("dump", "prices").output
    #expect(exact.contains(#""amount":{"hex":"312c35"}"#), "\(exact)")
    _ = try tool.folder.write(exact, to: "exact.jsonl")
    #expect(try tool.run("load", "copy", "exact.jsonl").status == 0)
    #expect(try tool.run("dump", "copy").output == exact)
  }
}
