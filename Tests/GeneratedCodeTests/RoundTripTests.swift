import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

struct RoundTripTests {
  private let folder: TemporaryDirectory
  private let store: Store

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
  }

  private static let texts = [
    "", "a", "fifteen bytes!!", "sixteen bytes!!!", "Îñţérñåţîöñåļ", "👩‍👩‍👧‍👦🏳️‍🌈", "a\0b",
    String(repeating: "x", count: 1 << 20),
  ]
  private static let doubles: [Double] = [
    0, -0.0, 1.5, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
    .pi, -1e300,
  ]
  private static let dates: [Date] = [
    Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: -0.001),
    Date(timeIntervalSince1970: -2_208_988_800.5), Date(timeIntervalSince1970: 4_102_444_800.123),
    .distantPast, .distantFuture,
  ]

  private func extreme<T: FixedWidthInteger>(
    _ type: T.Type,
    _ random: inout SplitMix
  ) -> T {
    let any = T.random(in: .min ... .max, using: &random)
    return random.pick([.min, .max, 0, 1, .max - 1, any])
  }

  private func randomEverything(_ random: inout SplitMix) -> Everything {
    let object = Everything()
    object.bool = .random(using: &random)
    object.int8 = extreme(Int8.self, &random)
    object.uint8 = extreme(UInt8.self, &random)
    object.int16 = extreme(Int16.self, &random)
    object.uint16 = extreme(UInt16.self, &random)
    object.int32 = extreme(Int32.self, &random)
    object.uint32 = extreme(UInt32.self, &random)
    object.int64 = extreme(Int64.self, &random)
    object.uint64 = extreme(UInt64.self, &random)
    object.int = extreme(Int.self, &random)
    object.uint = extreme(UInt.self, &random)
    object.double = random.pick(Self.doubles)
    object.float = Float(random.pick(Self.doubles))
    object.string = random.pick(Self.texts)
    object.data = Data((0..<Int.random(in: 0...40, using: &random)).map { UInt8($0) })
    object.bytes = (0..<Int.random(in: 0...40, using: &random)).map { UInt8(200 - $0) }
    object.date = random.pick(Self.dates)
    object.precise = Date(timeIntervalSince1970: Double(Int.random(in: -9...9, using: &random)))
    object.flex = Data([1, 2])
    object.int32s = [.min, 0, .max]
    object.int64s = Bool.random(using: &random) ? [] : [.min, .max]
    object.floats = [1.5, -.infinity]
    object.strings = Array(Self.texts.shuffled(using: &random).prefix(3))
    object.color = random.pick([.red, .green, .unknown])
    object.price = Money(cents: Int.random(in: -100...100, using: &random))
    object.default = random.pick(Self.texts)
    return object
  }

  private func areSame(_ a: Everything, _ b: Everything) -> Bool {
    let integers = [
      a.bool == b.bool, a.int8 == b.int8, a.uint8 == b.uint8, a.int16 == b.int16,
      a.uint16 == b.uint16, a.int32 == b.int32, a.uint32 == b.uint32, a.int64 == b.int64,
      a.uint64 == b.uint64, a.int == b.int, a.uint == b.uint,
    ]
    let others = [
      a.float.bitPattern == b.float.bitPattern, a.double.bitPattern == b.double.bitPattern,
      Array(a.string.utf8) == Array(b.string.utf8), a.data == b.data, a.bytes == b.bytes,
      abs(a.date.timeIntervalSince(b.date)) < 0.001, a.precise == b.precise,
      a.color == b.color, a.price == b.price, a.default == b.default,
    ]
    let vectors = [
      a.flex == b.flex, a.int32s == b.int32s, a.int64s == b.int64s, a.floats == b.floats,
      a.strings == b.strings,
    ]
    return [integers, others, vectors].allSatisfy { !$0.contains(false) }
  }

  @Test(arguments: 0..<20)
  func `random objects of every type read back the same, also after reopening`(
    seed: Int
  ) throws {
    var random = SplitMix(seed: seed)
    let objects = (0..<5).map { _ in randomEverything(&random) }
    try store.box(for: Everything.self).put(objects)
    store.close()
    let reopened = try Store(directoryPath: folder.path + "/store")
    let read = try reopened.box(for: Everything.self).all()
    #expect(read.count == objects.count)
    for (object, copy) in zip(objects, read) {
      #expect(object.id == copy.id)
      #expect(areSame(object, copy))
    }
  }

  @Test func `a store is opened with a configuration`() throws {
    var configuration = Store.Configuration(directory: folder.path + "/store")
    configuration.sharesOpenStore = true
    configuration.maxDbSizeInKByte = 1024 * 1024
    let shared = try Store(configuration: configuration)
    _ = try store.box(for: Nothing.self).put(struct: .empty())
    #expect(try shared.box(for: Nothing.self).count() == 1)
  }

  @Test func `nulls stay null and differ from zero and empty`() throws {
    let box = store.box(for: Nothing.self)
    let null = try box.put(struct: .empty())
    #expect(try box.get(null.key) == .empty(key: null.key))
    let zero = Nothing(
      key: 0,
      bool: false,
      int8: 0,
      uint8: 0,
      int16: 0,
      uint16: 0,
      int32: 0,
      uint32: 0,
      int64: 0,
      uint64: 0,
      int: 0,
      uint: 0,
      float: 0,
      double: 0,
      string: "",
      data: Data(),
      date: Date(timeIntervalSince1970: 0),
      precise: Date(timeIntervalSince1970: 0),
      strings: [],
      color: .red
    )
    let stored = try box.put(struct: zero)
    let read = try #require(try box.get(stored.key))
    #expect(read == stored)
    #expect(try box.query { Nothing.string.isNil() }.build().findIds() == [null.key])
    #expect(try box.query { Nothing.int.isNotNil() }.build().findIds() == [stored.key])
  }

  @Test func `put of structs returns copies with their IDs`() throws {
    let box = store.box(for: Library.Shelf.self)
    let shelves = try box.put(structs: [
      Library.Shelf(number: 0, label: "A"), Library.Shelf(number: 0, label: "B"),
    ])
    #expect(shelves.map(\.number) == [1, 2])
    #expect(try box.get(shelves[1].number)?.label == "B")
  }

  @Test func `an unknown raw value becomes the default`() throws {
    let box = store.box(for: Everything.self)
    let object = Everything()
    object.color = .green
    try box.put(object)
    #expect(try box.query { .color == "green" }.build().count() == 1)
  }
}
