import Foundation
import ObjectBox
import ObjectBoxGrouping
import ObjectBoxTestSupport
import Testing

/// Random groups beside those of DuckDB, with stretches of time by Python's `zoneinfo`.
@Suite(.enabled(if: DuckDB.isThere, DuckDB.reason))
struct GroupOracleTests {
  private static let zones = [
    "America/Asuncion", "Asia/Amman", "America/Havana", "Asia/Damascus", "Asia/Gaza",
    "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "America/St_Johns", "Europe/Dublin",
    "Africa/Casablanca", "Antarctica/Troll", "America/New_York", "Pacific/Kwajalein",
    "America/Sao_Paulo", "Asia/Tehran", "Africa/Monrovia", "GMT",
  ]

  /// Rows and answers for the script.
  fileprivate struct Trial {
    var rows: [[Any]] = []
    var answers: [[String: Any]] = []
  }

  @Test(.tags(.slow), arguments: 1...TestLength.choose(short: 1, long: 3))
  func `groups are those of DuckDB`(_ seed: Int) throws {
    var random = SplitMix(seed: seed)
    let stored = try SaleStore()
    var zones = Self.zones.shuffled(using: &random).prefix(3).map { $0 }
    zones.append(random.pick(TimeZone.knownTimeZoneIdentifiers))
    let all = try (0..<600).map { _ in try Self.sale(&random, random.pick(zones)) }
    try stored.sales.put(all)
    var trial = Trial()
    trial.rows = all.map(Self.row)
    let bound = Int.random(in: -500...500, using: &random)
    for (text, query) in [
      ("true", try stored.sales.query().build()),
      ("amount > \(bound)", try stored.sales.query { Sale.amount > bound }.build()),
    ] {
      func add<K: GroupValue>(_ key: [String], _ property: Property<Sale, K, Void>) throws {
        try trial.add(key, text, bound, query.grouped(by: property))
      }
      try add(["kind"], Sale.kind)
      try add(["price"], Sale.price)
      try add(["weight"], Sale.weight)
      try add(["note"], Sale.note)
      try add(["isPaid"], Sale.isPaid)
      try add(["large"], Sale.large)
      try add(["small"], Sale.small)
      for name in zones {
        let zone = try #require(TimeZone(identifier: name))
        let units: [CalendarUnit] = [.hour, .day, .week, .month, .quarter, .year]
        for unit in units {
          try trial.add(
            ["date", unit.rawValue, name],
            text,
            bound,
            query.grouped(by: .by(Sale.date, unit, in: zone))
          )
          try trial.add(
            ["shipped", unit.rawValue, name],
            text,
            bound,
            query.grouped(by: .by(Sale.shipped, unit, in: zone))
          )
        }
        let parts: [CalendarPart] = [
          .hourOfDay, .dayOfWeek, .dayOfMonth, .monthOfYear, .quarterOfYear, .year,
        ]
        for part in parts {
          try trial.add(
            ["date", "part " + part.rawValue, name],
            text,
            bound,
            query.grouped(by: .by(part, of: Sale.date, in: zone))
          )
        }
      }
    }
    let found = try DuckDB.differences(in: ["rows": trial.rows, "answers": trial.answers])
    #expect(found.isEmpty, "\(found.prefix(4000))")
  }

  /// Makes a sale, often close to a change of a zone's clock or to a midnight.
  private static func sale(_ random: inout SplitMix, _ zone: String) throws -> Sale {
    let sale = Sale(kind: random.pick([.min, -1, 0, 1, .max]))
    sale.amount = Int.random(in: -1000...1000, using: &random)
    sale.price = random.pick([
      nil, 0, -0.0, 0.25, -7.5, 1e15, -1e15, .nan, .infinity, .leastNonzeroMagnitude, 12.75,
    ])
    sale.weight = random.pick([0, -0.0, 0.1, -3.5, .nan, .greatestFiniteMagnitude])
    sale.note = random.pick([nil, "", "red", "Red", "grün", "𝕏", "\u{FFFF}", "re"])
    sale.isPaid = Bool.random(using: &random)
    sale.large = random.pick([0, 1, 1 << 63 - 1, 1 << 63, .max])
    sale.small = random.pick([0, 1, 127, 128, 255])
    let calendar = try #require(TimeZone(identifier: zone))
    // 1971 to 2024: data of zones that do not change any more.
    var seconds = Int.random(in: 31_536_000...1_704_000_000, using: &random)
    if random.happens(0.7),
      let next = calendar.nextDaylightSavingTimeTransition(
        after: Date(timeIntervalSince1970: Double(seconds))
      ), next.timeIntervalSince1970 < 1_704_000_000
    {
      seconds =
        Int(next.timeIntervalSince1970) + random.pick([-1, 0, 1]) * 60
        * random.pick([0, 1, 30, 59, 60, 90, 720, 1440, 10_080])
    } else if random.happens(0.5) {
      seconds =
        seconds / 86_400 * 86_400
        - calendar.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    }
    let milliseconds = seconds * 1000 + random.pick([-1, 0, 1, 500])
    sale.date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    if random.happens(0.8) { sale.shipped = Date(timeIntervalSince1970: Double(seconds)) }
    return sale
  }

  private static func row(_ sale: Sale) -> [Any] {
    [
      sale.kind, sale.amount, Trial.value(sale.price), Trial.value(Double(sale.weight)),
      Trial.value(sale.date), Trial.value(sale.shipped), Trial.value(sale.note), sale.isPaid,
      sale.large, sale.small,
    ]
  }
}

extension GroupOracleTests.Trial {
  /// Adds the groups of a query, by all aggregates, with and without a condition on groups.
  fileprivate mutating func add<K>(
    _ key: [String],
    _ condition: String,
    _ bound: Int,
    _ grouping: Grouping<Sale, K>
  ) throws {
    let groups = grouping.select(
      .count,
      .count(Sale.price),
      .sum(Sale.amount),
      .average(Sale.amount),
      .min(Sale.price),
      .max(Sale.price),
      .max(Sale.weight),
      .min(Sale.large),
      .max(Sale.large),
      .average(Sale.small),
      .min(Sale.date),
      .max(Sale.shipped),
      .min(Sale.note),
      .max(Sale.note),
      .average(Sale.large)
    )
    let having: [(String, GroupCondition<Sale>?)] = [
      ("true", nil),
      ("count(*) > 2 AND sum(amount) < \(bound)", .count > 2 && .sum(Sale.amount) < bound),
      (
        "max(small) >= 128 OR avg(amount) > 1.5",
        .max(Sale.small) >= 128 || .average(Sale.amount) > 1.5
      ),
    ]
    for (text, test) in having {
      let found = try (test.map { groups.having($0) } ?? groups).find()
      answers.append([
        "key": key, "where": condition, "having": text,
        "rows": found.map { row -> [Any] in
          let v = row.values
          return [
            Self.value(row.key), v.0, v.1, v.2, Self.value(v.3), Self.value(v.4), Self.value(v.5),
            Self.value(v.6), Self.value(v.7), Self.value(v.8), Self.value(v.9), Self.value(v.10),
            Self.value(v.11), Self.value(v.12), Self.value(v.13), Self.value(v.14),
          ]
        },
      ])
    }
  }

  /// A value for JSON: texts for floating point numbers, microseconds for dates.
  fileprivate static func value(_ value: some Any) -> Any {
    switch value as Any {
    case let number as Double: "\(number)"
    case let number as Float: "\(Double(number))"
    case let date as Date: Int((date.timeIntervalSince1970 * 1e6).rounded())
    case let flag as Bool: flag
    case let text as String: text
    case let number as any FixedWidthInteger: number
    default: NSNull()
    }
  }
}

/// DuckDB, as a package of Python.
private enum DuckDB {
  static let reason: Comment = "needs python3 with the package 'duckdb'"
  static let isThere = (try? run(["-c", "import duckdb"])) == ""

  /// Returns the differences between the answers and those of DuckDB; empty without any.
  static func differences(in trial: [String: Any]) throws -> String {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/trial.json"
    try JSONSerialization.data(withJSONObject: trial).write(to: URL(fileURLWithPath: path))
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("group_oracle.py").path
    return try run([script, path])
  }

  /// Returns what a script has written, also errors.
  private static func run(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
