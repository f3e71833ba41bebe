import Foundation
import ObjectBox
import ObjectBoxEncryption

// objectbox: entity
final class Item {
  var id: Id = 0
  var name: String = ""
  var number: Int = 0
  var weight: Double = 0

  init() {}

  init(_ place: Int) {
    name = "item number \(place)"
    number = place * 7919 % 1_000_003
    weight = Double(place) / 8
  }
}

/// A plain or an encrypted store, for `Peers/encryption.py`.
///
/// usage: EncryptionBenchmark FOLDER COUNT plain|encrypted: answers lines of the standard input,
/// each the name of a row, with the nanoseconds that the run took by the clock and of the processor,
/// and a number to compare.
@main
struct Main {
  private static let durableCount = 300

  private let configuration: Store.Configuration
  private let count: Int
  private var store: Store

  private init() throws {
    let arguments = CommandLine.arguments
    var configuration = Store.Configuration(directory: arguments[1])
    configuration.maxDbSizeInKByte = 8 << 20
    if arguments[3] == "encrypted" { configuration.encryption = .key([UInt8](0..<32)) }
    self.configuration = configuration
    count = Int(arguments[2]) ?? 0
    store = try Store(configuration: configuration)
  }

  static func main() throws {
    var main = try Main()
    while let line = readLine() {
      let objects = line == "bulk" ? (0..<main.count).map(Item.init) : []
      let clock = ContinuousClock().now
      let processor = processorTime()
      let answer = try main.run(line, objects)
      let used = processorTime() - processor
      let taken = ContinuousClock().now - clock
      let nanoseconds =
        taken.components.seconds * 1_000_000_000
        + taken.components.attoseconds / 1_000_000_000
      print("\(nanoseconds)\t\(used)\t\(answer)")
      fflush(nil)
    }
  }

  private mutating func run(_ row: String, _ objects: [Item]) throws -> Int {
    let items = store.box(for: Item.self)
    switch row {
    case "bulk":
      try items.put(objects)
      return objects.count
    case "get":
      return try store.runInReadOnlyTransaction {
        var sum = 0
        for place in 0..<count {
          sum += try items.get(UInt64(place * 7919 % count + 1))?.number ?? 0
        }
        return sum
      }
    case "scan":
      var sum = 0
      try items.forEach { sum += $0.number }
      return sum
    case "open":
      store.close()
      store = try Store(configuration: configuration)
      return try store.box(for: Item.self).get(1)?.number ?? -1
    case "durable":
      for place in 0..<Self.durableCount { try items.put(Item(place)) }
      return Self.durableCount
    default: return -1
    }
  }

  private static func processorTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
