import Foundation
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox

/// Updates of properties of every type.
struct UpdateTests {
  private let folder: TemporaryDirectory
  private let store: Store

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
  }

  private func bytes<E>(_ box: Box<E>, _ id: UInt64) throws -> [UInt8]? {
    try box.reading { table, transaction in try table.bytes(of: id, in: transaction.storage) }
  }

  @Test func `an update of every property leaves the record that a put leaves`() throws {
    let object = Everything()
    object.bool = true
    object.int8 = .min
    object.uint8 = .max
    object.int16 = .min
    object.uint16 = .max
    object.int32 = .min
    object.uint32 = .max
    object.int64 = .min
    object.uint64 = .max
    object.int = -7
    object.uint = .max - 7
    object.float = -.infinity
    object.double = .nan
    object.string = "Îñţérñ"
    object.data = Data([1, 2, 3])
    object.bytes = [4]
    object.date = Date(timeIntervalSince1970: 1.5)
    object.precise = Date(timeIntervalSince1970: 2.25)
    object.flex = Data([9])
    object.int32s = [1, -1]
    object.int64s = [.max]
    object.floats = [0.5, .nan]
    object.strings = ["", "x"]
    object.color = .green
    object.price = Money(cents: 99)
    object.default = "d"
    let box = store.box(for: Everything.self)
    try box.put(Everything())
    #expect(
      try box.query().build().update {
        $0.set(Everything.bool, to: true)
        $0.set(Everything.int8, to: .min)
        $0.set(Everything.uint8, to: .max)
        $0.set(Everything.int16, to: .min)
        $0.set(Everything.uint16, to: .max)
        $0.set(Everything.int32, to: .min)
        $0.set(Everything.uint32, to: .max)
        $0.set(Everything.int64, to: .min)
        $0.set(Everything.uint64, to: .max)
        $0.set(Everything.int, to: -7)
        $0.set(Everything.uint, to: .max - 7)
        $0.set(Everything.float, to: -.infinity)
        $0.set(Everything.double, to: .nan)
        $0.set(Everything.string, to: "Îñţérñ")
        $0.set(Everything.data, to: Data([1, 2, 3]))
        $0.set(Everything.bytes, to: [4])
        $0.set(Everything.date, to: Date(timeIntervalSince1970: 1.5))
        $0.set(Everything.precise, to: Date(timeIntervalSince1970: 2.25))
        $0.set(Everything.flex, to: Data([9]))
        $0.set(Everything.int32s, to: [1, -1])
        $0.set(Everything.int64s, to: [.max])
        $0.set(Everything.floats, to: [0.5, .nan])
        $0.set(Everything.strings, to: ["", "x"])
        $0.set(Everything.color, to: Color.green)
        $0.set(Everything.price, to: MoneyConverter.convert(Money(cents: 99)))
        $0.set(Everything.default, to: "d")
      } == 1
    )
    let updated = try bytes(box, 1)
    object.id = 1
    try box.put(object)
    #expect(updated == (try bytes(box, 1)))
  }

  @Test func `an update with nil leaves the record that a put of nil leaves`() throws {
    let box = store.box(for: Nothing.self)
    let full = Nothing(
      key: 0,
      bool: false,
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
      float: 11,
      double: 12,
      string: "13",
      data: Data([14]),
      date: Date(timeIntervalSince1970: 15),
      precise: Date(timeIntervalSince1970: 16),
      strings: ["17"],
      color: .red
    )
    let stored = try box.put(struct: full)
    try box.query().build().update {
      $0.set(Nothing.bool, to: nil)
      $0.set(Nothing.uint8, to: nil)
      $0.set(Nothing.int64, to: nil)
      $0.set(Nothing.float, to: nil)
      $0.set(Nothing.double, to: nil)
      $0.set(Nothing.string, to: nil)
      $0.set(Nothing.date, to: nil)
      $0.set(Nothing.precise, to: nil)
      $0.set(Nothing.strings, to: nil)
      $0.set(Nothing.color, to: nil)
    }
    let object = try #require(try box.get(stored.key))
    #expect(object.bool == nil && object.uint8 == nil && object.int64 == nil)
    #expect(object.float == nil && object.double == nil && object.string == nil)
    #expect(object.date == nil && object.precise == nil && object.strings == nil)
    #expect(object.color == nil && object.data == Data([14]) && object.int == 9)
    let updated = try bytes(box, stored.key.value)
    _ = try box.put(struct: object)
    #expect(updated == (try bytes(box, stored.key.value)))
    try box.query().build().update { $0.set(Nothing.color, to: Color.green) }
    #expect(try box.get(stored.key)?.color == .green)
  }

  @Test func `an update of a to-one relation changes the backlink`() throws {
    let customers = store.box(for: Customer.self)
    let orders = store.box(for: Order.self)
    let (ada, bob) = (Customer("ada"), Customer("bob"))
    try customers.put([ada, bob])
    let order = Order()
    order.customer.target = ada
    try orders.put(order)
    #expect(
      try orders.query { Order.customer.isEqual(to: ada.id) }.build().update {
        $0.set(Order.customer, to: bob.id)
      } == 1
    )
    #expect(try customers.get(bob.id)?.orders.count == 1)
    #expect(try customers.get(ada.id)?.orders.count == 0)
    try orders.query().build().update { $0.set(Order.customer, to: nil) }
    #expect(try customers.get(bob.id)?.orders.count == 0)
    #expect(try orders.get(order.id)?.customer.target == nil)
  }
}
