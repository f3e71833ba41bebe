import Foundation
import ObjectBox

@testable import ObjectBoxCluster

func contractDate(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

/// The objects of the query contract, in a store of any kind.
struct ContractReadings {
  private let box: AnyBox<QueryReading>

  /// Objects 1, 2 and 3 have ascending values; 4 has null where possible.
  static var objects: [QueryReading] {
    (1...3).map { number in
      QueryReading {
        $0.aBool = number == 2
        $0.aByte = Int8(number)
        $0.anInt32 = Int32(number)
        $0.aLong = Int64(number)
        $0.unsigned = number == 3 ? ~3 : UInt32(number)
        $0.big = number == 3 ? .max : UInt64(number)
        $0.aDouble = Double(number)
        $0.aFloat = Float(number)
        $0.text = ["ISAAC", "isaac", "Newton"][number - 1]
        $0.date = contractDate(Double(number))
        $0.data = Data([UInt8(number), 0])
        $0.maybeBool = number == 2
        $0.maybeInt32 = Int32(number)
        $0.maybeLong = Int64(number)
        $0.maybeDouble = Double(number)
        $0.maybeFloat = Float(number)
        $0.maybeText = ["ISAAC", "isaac", "Newton"][number - 1]
        $0.maybeDate = contractDate(Double(number))
        $0.maybeData = Data([UInt8(number), 0])
        $0.int32s = [Int32(number), Int32(number) + 10]
        $0.int64s = [Int64(number), Int64(number) + 10]
        $0.floats = [Float(number), Float(number) + 10]
        $0.strings = ["\(number)", "Text\(number)"]
      }
    } + [QueryReading()]
  }

  init(_ kind: StoreKind, _ objects: [QueryReading] = ContractReadings.objects) async throws {
    box = try await AnyStore(kind).box()
    try await box.put(objects)
  }

  func put(_ object: QueryReading) async throws { try await box.put(object) }

  func query(
    _ condition: QueryCondition<QueryReading>? = nil
  ) throws -> any ContractQuery<QueryReading> {
    try (condition.map(box.query) ?? box.query()).build()
  }

  func ids(_ condition: QueryCondition<QueryReading>) async throws -> [Id] {
    try await ids(try query(condition))
  }

  func ids(_ query: any ContractQuery<QueryReading>) async throws -> [Id] {
    try await query.ids()
  }
}
