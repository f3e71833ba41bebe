import Foundation
import ObjectBox
import ObjectBoxTestSupport

// objectbox: entity
final class Sale {
  var id: Id = 0
  // objectbox: index
  var kind: Int32 = 0
  var amount: Int = 0
  var price: Double?
  var weight: Float = 0
  var date: Date = Date(timeIntervalSince1970: 0)
  // objectbox: date-nano
  var shipped: Date?
  var note: String?
  // objectbox: index, collation = "nocase"
  var city: String = ""
  var isPaid: Bool = false
  var large: UInt64 = 0
  var small: UInt8 = 0

  init() {}

  init(kind: Int32, amount: Int = 0, note: String? = nil, city: String = "") {
    self.kind = kind
    self.amount = amount
    self.note = note
    self.city = city
  }
}

/// A folder with a store, which ends with this object.
final class SaleStore {
  private let folder: TemporaryDirectory
  let store: Store

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
  }

  deinit { store.close() }

  var sales: Box<Sale> { store.box(for: Sale.self) }
}
