import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

/// Texts of dates use the proleptic Gregorian calendar, like ISO 8601, Python and PostgreSQL.
struct AncientDateTests {
  /// Dates and their seconds since 1970, computed with Python's `datetime`.
  static let known: [(text: String, seconds: Int64)] = [
    ("0001-01-01T00:00:00Z", -62_135_596_800), ("0004-02-29T12:00:00Z", -62_035_848_000),
    ("0099-12-31T23:59:59Z", -59_011_459_201), ("0100-02-28T00:00:00Z", -59_006_448_000),
    ("0100-03-01T00:00:00Z", -59_006_361_600), ("0400-02-29T00:00:00Z", -49_539_340_800),
    ("0999-12-31T00:00:00Z", -30_610_310_400), ("1066-10-14T09:00:00Z", -28_502_722_800),
    ("1500-02-28T00:00:00Z", -14_826_758_400), ("1500-03-01T00:00:00Z", -14_826_672_000),
    ("1582-10-04T00:00:00Z", -12_220_243_200), ("1582-10-05T00:00:00Z", -12_220_156_800),
    ("1582-10-14T00:00:00Z", -12_219_379_200), ("1582-10-15T00:00:00Z", -12_219_292_800),
    ("1600-02-29T00:00:00Z", -11_670_998_400), ("1700-02-28T23:59:59Z", -8_515_238_401),
    ("1752-09-10T00:00:00Z", -6_857_568_000), ("1899-12-31T23:59:59Z", -2_208_988_801),
    ("1900-02-28T00:00:00Z", -2_203_977_600), ("1969-12-31T23:59:59Z", -1),
    ("1970-01-01T00:00:00Z", 0), ("2000-02-29T00:00:00Z", 951_782_400),
    ("2024-02-29T23:59:59Z", 1_709_251_199), ("2038-01-19T03:14:08Z", 2_147_483_648),
    ("2100-02-28T00:00:00Z", 4_107_456_000), ("9999-12-31T23:59:59Z", 253_402_300_799),
  ]

  private let tool: BuiltProgram

  init() throws {
    tool = try BuiltProgram("objectbox")
    try tool.folder.store("dates", ModelText.everything).close()
  }

  private func importing(_ texts: [String]) throws -> BuiltProgram.Result {
    _ = try tool.folder.write("date\n" + texts.map { $0 + "\n" }.joined(), to: "in.csv")
    return try tool.run("import", "dates", "Thing", "in.csv")
  }

  private func column(_ condition: String = "", as format: String = "csv") throws -> [String] {
    try tool.run("query", "dates", "Thing", condition, "--columns", "date", "--format", format)
      .output.split(separator: "\n").map(String.init)
  }

  @Test func `dates are read, written and compared as others count them`() throws {
    let result = try importing(Self.known.map(\.text))
    #expect(result.status == 0, "\(result.errors)")
    #expect(try column(as: "json") == Self.known.map { #"{"date":\#($0.seconds * 1_000)}"# })
    #expect(try column() == ["date"] + Self.known.map(\.text))
    for place in [0, 8, 12, 17] {
      let text = Self.known[place].text
      #expect(try column("date == \(text)") == ["date", text])
      #expect(try column("date < \(text)").count == place + 1)
    }
  }

  @Test(
    arguments: [
      "1500-02-29", "1900-02-29", "2100-02-29", "2023-02-29", "1582-10-32", "0000-12-31",
      "2024-13-01", "2024-00-10", "2024-04-31", "2024-04-00", "2024-01-01T24:00",
      "2024-01-01T12:60",
      "2024-01-01T12:00:60", "2024-01-01T12:00:00+24:00", "2024-01-01T12:00:00+01:60", "2024-1-1",
      "2024-01-01T", "2024-01-01T12", "2024-01-01T12:00:00.", "2024-01-01T12:00:00.0000000000",
      "2024-01-01 12:00 ", "+2024-01-01", "\u{662}024-01-01", "2024-01-01T\u{661}2:00",
      "2024-01-01T12:00:00.\u{665}", "2024-01-01T12:00z", "2024-01-01Z",
    ]
  )
  func `a day or a time that there is not is refused`(_ text: String) throws {
    let result = try importing([text])
    #expect(result.status == 1)
    #expect(result.errors.contains("is expected"), "\(result.errors)")
  }

  @Test(
    arguments: [
      ("2024-02-29", 1_709_164_800_000), ("2024-02-29T12:30", 1_709_209_800_000),
      ("2024-02-29 12:30:15", 1_709_209_815_000), ("2024-02-29T12:30:15.25Z", 1_709_209_815_250),
      ("2024-02-29T00:30:00+01:00", 1_709_163_000_000),
      ("2024-02-29T23:30-0130", 1_709_254_800_000),
      ("1969-12-31T23:59:59.9999", 0), ("1969-12-31T23:59:59.9995", -1),
      ("0001-01-01T00:00+00:01", -62_135_596_860_000),
    ]
  )
  func `the forms of ISO 8601 are read`(_ text: String, _ milliseconds: Int64) throws {
    let result = try importing([text])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try column(as: "json") == [#"{"date":\#(milliseconds)}"#])
  }
}

/// Dates of a store and of its copy in a database.
@Suite(.enabled(if: CopyServer.isThere, CopyServer.reason))
struct AncientDateCopyTests {
  @Test func `a database answers with the dates of the store, also before 1582`() throws {
    let tool = try BuiltProgram("objectbox")
    let model = ModelText.everything.replacing("\\n\\u0000", with: "")
    try tool.folder.store("dates", model).close()
    let texts = AncientDateTests.known.map { $0.text + "\n" }.joined()
    _ = try tool.folder.write("date\n" + texts, to: "in.csv")
    #expect(try tool.run("import", "dates", "Thing", "in.csv").status == 0)
    let address = CopyServer.address ?? ""
    let schema = CopyServer.configuration().schema
    let copied = try tool.run("copy", "dates", address, "--schema", schema)
    #expect(copied.status == 0, "\(copied.errors)")
    for condition in ["", "date < 1582-10-15", "date == 0001-01-01", "date > 1500-02-28T00:00"] {
      let answers = try ["dates", address].map { place in
        try tool.run(
          ["query", place, "Thing", condition, "--columns", "id,date", "--format", "csv"]
            + ["--schema", schema]
        )
      }
      #expect(answers.map(\.status) == [0, 0], "\(answers)")
      #expect(answers[0].output == answers[1].output)
      #expect(answers[0].output.contains("0001-01-01T00:00:00Z") != condition.contains(">"))
    }
  }
}
