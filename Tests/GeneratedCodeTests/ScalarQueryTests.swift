import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Conditions on every scalar type, with generated properties.
struct ScalarQueryTests {
  private let folder: TemporaryDirectory
  private let store: Store
  private let box: Box<Everything>
  private let nothing: Box<Nothing>

  private static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
    box = store.box()
    nothing = store.box()
    // Objects 1, 2 and 3 hold ascending values of each type.
    for number in 1...3 {
      let object = Everything()
      object.bool = number == 3
      object.int8 = [-128, 0, 127][number - 1]
      object.uint8 = [0, 127, 255][number - 1]
      object.int16 = Int16(number * 1000 - 2000)
      object.uint16 = [0, 32768, 65535][number - 1]
      object.int32 = Int32(number * 100_000)
      object.uint32 = [1, 2_147_483_648, 4_294_967_295][number - 1]
      object.int64 = [.min, 0, .max][number - 1]
      object.uint64 = [0, 1 << 63, .max][number - 1]
      object.int = number
      object.uint = [0, 1, .max][number - 1]
      object.float = [-1.5, 0, 1.5][number - 1]
      object.double = [-.infinity, 0.1, .nan][number - 1]
      object.string = ["a", "b", "c"][number - 1]
      object.data = Data([UInt8(number * 100 - 100), 1])
      object.date = Self.date(Double(number) - 2)
      object.precise = Self.date(Double(number) - 2.5)
      try box.put(object)
    }
  }

  private func ids(_ condition: QueryCondition<Everything>) throws -> [UInt64] {
    try box.query { condition }.build().findIds().map(\.value)
  }

  @Test func `Booleans`() throws {
    #expect(try ids(Everything.bool == true) == [3])
    #expect(try ids(Everything.bool != true) == [1, 2])
    #expect(try ids(Everything.bool.isEqual(to: false)) == [1, 2])
  }

  @Test func `signed integers of each width`() throws {
    #expect(try ids(Everything.int8 < 0) == [1])
    #expect(try ids(Everything.int8 >= 127) == [3])
    #expect(try ids(Everything.int16 == -1000) == [1])
    #expect(try ids(Everything.int16 ∈ -1000..<1000) == [1, 2])
    #expect(try ids(Everything.int32.isBetween(100_001, and: 300_000)) == [2, 3])
    #expect(try ids(Everything.int64 > 0) == [3])
    #expect(try ids(Everything.int64 <= .min) == [1])
    #expect(try ids(Everything.int ∈ [1, 3]) == [1, 3])
  }

  @Test func `unsigned integers compare unsigned`() throws {
    #expect(try ids(Everything.uint8 > 126) == [2, 3])
    #expect(try ids(Everything.uint8 == 255) == [3])
    #expect(try ids(Everything.uint16 > 100) == [2, 3])
    #expect(try ids(Everything.uint32 > 100) == [2, 3])
    #expect(try ids(Everything.uint32.isBetween(.max, and: 2_147_483_648)) == [2, 3])
    #expect(try ids(Everything.uint64 >= 1 << 63) == [2, 3])
    #expect(try ids(Everything.uint64 ∉ [.max]) == [1, 2])
    #expect(try ids(Everything.uint < .max) == [1, 2])
    let ordered = try box.query().ordered(by: Everything.uint64, flags: .descending).build()
    #expect(try ordered.findIds().map(\.value) == [3, 2, 1])
  }

  @Test func `floating point numbers, of which not-a-number matches nothing`() throws {
    #expect(try ids(Everything.float < 0) == [1])
    #expect(try ids(Everything.float >= 0) == [2, 3])
    #expect(try ids(Everything.float.isEqual(to: 1.4, tolerance: 0.2)) == [3])
    #expect(try ids(Everything.double < 1) == [1, 2])
    #expect(try ids(Everything.double.isBetween(0.5, and: 0)) == [2])
    #expect(try ids(Everything.double > -.infinity) == [2])
    #expect(try ids(Everything.double <= .infinity) == [1, 2])
    #expect(try ids(Everything.double.isNotNil()) == [1, 2, 3])
    let ordered = try box.query().ordered(by: Everything.double, flags: .descending).build()
    #expect(try ordered.findIds().map(\.value) == [3, 2, 1])
  }

  @Test func `dates in milliseconds and in nanoseconds, also before 1970`() throws {
    #expect(try ids(Everything.date == Self.date(0)) == [2])
    #expect(try ids(Everything.date < Self.date(0)) == [1])
    #expect(try ids(Everything.date > Self.date(-1)) == [2, 3])
    #expect(try ids(Everything.date != Self.date(1)) == [1, 2])
    #expect(try ids(Everything.date ∈ Self.date(-1)..<Self.date(1)) == [1, 2])
    #expect(try ids(Everything.date ∈ Self.date(-1)...Self.date(1)) == [1, 2, 3])
    #expect(try ids(Everything.date ∈ [Self.date(1)]) == [3])
    #expect(try ids(Everything.date ∉ [Self.date(1)]) == [1, 2])
    #expect(try ids(Everything.precise < Self.date(-0.5)) == [1])
    #expect(try ids(Everything.precise == Self.date(0.5)) == [3])
  }

  @Test func `bytes compare from the first one on`() throws {
    #expect(try ids(Everything.data == Data([100, 1])) == [2])
    #expect(try ids(Everything.data < Data([100])) == [1])
    #expect(try ids(Everything.data > Data([100, 1])) == [3])
    #expect(try ids(Everything.data >= Data([100, 1])) == [2, 3])
    #expect(try ids(Everything.data <= Data()) == [])
  }

  @Test func `the ID is a property like others, and is looked up directly`() throws {
    let query = try box.query { Everything.id == 2 }.build()
    #expect(try query.findIds().map(\.value) == [2])
    #expect(try query.explain().hasPrefix("look-up of 1 ID"))
    #expect(try ids(Everything.id == 2 || Everything.int == 3) == [2, 3])
  }

  @Test func `optional properties take plain values, and null matches none of them`() throws {
    let empty = try nothing.put(struct: .empty())
    let full = try nothing.put(
      struct: Nothing(
        key: 0,
        bool: true,
        int8: 1,
        uint8: 2,
        int16: 3,
        uint16: 4,
        int32: 5,
        uint32: 6,
        int64: 7,
        uint64: 8,
        int: 9,
        uint: 10,
        float: 1,
        double: 2,
        string: "s",
        data: Data([1]),
        date: Self.date(1),
        precise: Self.date(2),
        strings: [],
        color: .green
      )
    )
    func keys(_ condition: QueryCondition<Nothing>) throws -> [EntityId<Nothing>] {
      try nothing.query { condition }.build().findIds()
    }
    #expect(try keys(Nothing.bool == true) == [full.key])
    #expect(try keys(Nothing.bool != false) == [full.key])
    #expect(try keys(Nothing.uint16 < 9) == [full.key])
    #expect(try keys(Nothing.int64 != 3) == [full.key])
    #expect(try keys(Nothing.double > 1) == [full.key])
    #expect(try keys(Nothing.float <= 1) == [full.key])
    #expect(try keys(Nothing.string != "x") == [full.key])
    #expect(try keys(Nothing.date != Self.date(0)) == [full.key])
    #expect(try keys(Nothing.data > Data()) == [full.key])
    #expect(try keys(Nothing.color == "green") == [full.key])
    #expect(try keys(Nothing.int8.isBetween(2, and: 1)) == [full.key])
    #expect(try keys(Nothing.uint8.isIn([2, 3]) && Nothing.uint16.isNotIn([5])) == [full.key])
    #expect(try keys(Nothing.int32 ∈ 5..<6 && .uint32 ∈ 6...7 && .uint ∉ [1]) == [full.key])
    #expect(try keys(Nothing.float.isLessThan(2) && .double >= 2) == [full.key])
    #expect(try keys(Nothing.double.isEqual(to: 2.5, tolerance: 1)) == [full.key])
    #expect(try keys(Nothing.int.isNil() && Nothing.string.isNil()) == [empty.key])
    let query = try nothing.query { Nothing.string == "s" }.build()
    #expect(try query.explain().hasPrefix("index on 'string' (hash64)"))
  }
}
