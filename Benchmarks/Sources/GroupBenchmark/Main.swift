import Foundation
import ObjectBox
import ObjectBoxGrouping

// objectbox: entity
final class Purchase {
  var id: Id = 0
  var customer: Int = 0
  var total: Int = 0
  var weight: Double = 0
  var date: Date = Date(timeIntervalSince1970: 0)
  var city: String = ""
  // objectbox: index
  var status: Int = 0

  init() {}
}

/// Groups of purchases, for `Peers/groups.py`.
///
/// usage: GroupBenchmark FOLDER FILE: makes a store of a file with tab-separated columns. Then it
/// answers lines of the standard input, each the name of a row, with the nanoseconds that the run
/// took by the clock and of the processor, and a line of sums to compare.
@main
struct Main {
  static func main() throws {
    let arguments = CommandLine.arguments
    let store = try Store(directoryPath: arguments[1], maxDbSizeInKByte: 8 << 20)
    let purchases = store.box(for: Purchase.self)
    if arguments.count > 2 { try fill(purchases, arguments[2]) }
    while let line = readLine() {
      let clock = ContinuousClock().now
      let processor = processorTime()
      let answer = try run(line, purchases)
      let used = processorTime() - processor
      let taken = ContinuousClock().now - clock
      let nanoseconds =
        taken.components.seconds * 1_000_000_000
        + taken.components.attoseconds / 1_000_000_000
      print("\(nanoseconds)\t\(used)\t\(answer)")
      fflush(nil)
    }
  }

  private static func fill(_ purchases: Box<Purchase>, _ path: String) throws {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let objects = lines.map { line in
      let parts = line.split(separator: "\t")
      let purchase = Purchase()
      purchase.customer = Int(parts[0]) ?? 0
      purchase.total = Int(parts[1]) ?? 0
      purchase.weight = Double(parts[2]) ?? 0
      purchase.date = Date(timeIntervalSince1970: Double(parts[3]) ?? 0)
      purchase.city = String(parts[4])
      purchase.status = Int(parts[5]) ?? 0
      return purchase
    }
    try purchases.put(objects)
  }

  private static func run(_ row: String, _ purchases: Box<Purchase>) throws -> String {
    switch row {
    case "customer":
      let rows = try purchases.query().grouped(by: Purchase.customer)
        .select(.count, .sum(Purchase.total), .max(Purchase.date)).find()
      return sums(rows.map { ($0.values.0, $0.values.1) })
    case "condition":
      let rows = try purchases.query { Purchase.total < 5000 }.grouped(by: Purchase.customer)
        .select(.count, .sum(Purchase.total)).find()
      return sums(rows.map { $0.values })
    case "city":
      let rows = try purchases.query().grouped(by: Purchase.city)
        .select(.count, .sum(Purchase.total)).find()
      return sums(rows.map { $0.values })
    case "month":
      let rows = try purchases.query().grouped(by: .by(Purchase.date, .month, in: .gmt))
        .select(.count, .sum(Purchase.total)).find()
      return sums(rows.map { $0.values })
    case "two":
      let rows = try purchases.query().grouped(by: Purchase.city, Purchase.status)
        .select(.count, .sum(Purchase.total)).find()
      return sums(rows.map { $0.values })
    case "index":
      let rows = try purchases.query().grouped(by: Purchase.status).select(.count).find()
      return sums(rows.map { ($0.values, 0) })
    case "best":
      let rows = try purchases.query().grouped(by: Purchase.customer)
        .select(.count, .sum(Purchase.total)).having(.count > 50)
        .ordered(by: .sum(Purchase.total), descending: true).find(limit: 10)
      return sums(rows.map { $0.values })
    default: return "there is no row '\(row)'"
    }
  }

  private static func sums(_ rows: [(Int, Int)]) -> String {
    "\(rows.count) \(rows.reduce(0) { $0 + $1.0 }) \(rows.reduce(0) { $0 + $1.1 })"
  }

  private static func processorTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
