import Foundation
import ObjectBox

/// Builds the model by hand: entity IDs with gaps, one index with ID 3, and small UIDs, some shared
/// by several kinds of elements.
private func cModel() throws -> OpaquePointer {
  let modelBuilder = try ModelBuilder()

  let contact = try modelBuilder.entityBuilder(for: Contact.self, id: 1, uid: 1)
  try contact.addProperty(name: "id", type: PropertyType.long, flags: [.id], id: 1, uid: 1)
  try contact.addProperty(name: "name", type: PropertyType.string, id: 2, uid: 2)
  try contact.addProperty(name: "age", type: Int.entityPropertyType, id: 3, uid: 3)
  try contact.lastProperty(id: 3, uid: 3)

  let reading = try modelBuilder.entityBuilder(for: Reading.self, id: 2, uid: 1000)
  try reading.addProperty(name: "id", type: Id.entityPropertyType, flags: .id, id: 1, uid: 1002)
  let properties: [(String, PropertyType, [PropertyFlags])] = [
    ("aBool", .bool, []), ("aByte", .byte, []), ("anInt32", .int, []), ("aLong", .long, []),
    ("unsigned", .int, [.unsigned]), ("big", .long, [.unsigned]), ("aDouble", .double, []),
    ("aFloat", .float, []), ("text", .string, []), ("date", .date, []),
    ("data", .byteVector, []), ("maybeBool", .bool, []), ("maybeInt32", .int, []),
    ("maybeLong", .long, []), ("maybeDouble", .double, []), ("maybeFloat", .float, []),
    ("maybeText", .string, []), ("maybeDate", .date, []), ("maybeData", .byteVector, []),
    ("int32s", Int32ArrayPropertyType.entityPropertyType, []),
    ("int64s", Int64ArrayPropertyType.entityPropertyType, []),
    ("floats", FloatArrayPropertyType.entityPropertyType, []),
    ("strings", StringArrayPropertyType.entityPropertyType, []),
  ]
  for (place, (name, type, flags)) in properties.enumerated() {
    let id = UInt32(place + 2)
    try reading.addProperty(name: name, type: type, flags: flags, id: id, uid: UInt64(id))
  }
  try reading.lastProperty(id: 24, uid: 24)

  let marker = try modelBuilder.entityBuilder(for: Marker.self, id: 3, uid: 2)
  try marker.addProperty(name: "id", type: .long, flags: [.id, .idSelfAssignable], id: 1, uid: 1)
  try marker.addProperty(
    name: "vector",
    type: HnswIndexPropertyType.entityPropertyType,
    flags: [.indexed],
    id: 2,
    uid: 2,
    indexId: 2,
    indexUid: 20
  )
  .hnswParams(
    dimensions: 2,
    neighborsPerNode: nil,
    indexingSearchCount: nil,
    flags: nil,
    distanceType: nil,
    reparationBacklinkProbability: nil,
    vectorCacheHintSizeKB: nil
  )
  try marker.addProperty(name: "kind", type: .short, id: 3, uid: 3)
  try marker.lastProperty(id: 3, uid: 3)

  let ticket = try modelBuilder.entityBuilder(for: Ticket.self, id: 7, uid: 7)
  try ticket.flags(.useNoArgConstructor)
  try ticket.addProperty(name: "id", type: .long, flags: .id, id: 1, uid: 1)
  try ticket.addProperty(
    name: "name",
    type: .string,
    flags: [.unique, .indexHash, .indexed],
    id: 2,
    uid: 2,
    indexId: 3,
    indexUid: 30
  )
  try ticket.lastProperty(id: 2, uid: 2)

  modelBuilder.lastEntity(id: 7, uid: 7)
  modelBuilder.lastIndex(id: 3, uid: 30)
  return modelBuilder.finish()
}

/// A store that creates its own folder, and deletes it on deinit.
final class ContractStore {
  let path: String
  private(set) var store: Store

  init(maxDbSizeInKByte: UInt64 = 500, maxReaders: UInt32 = 0) throws {
    path = Self.freshPath()
    store = try Store(
      model: try cModel(),
      directory: path,
      maxDbSizeInKByte: maxDbSizeInKByte,
      maxReaders: maxReaders
    )
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(atPath: path)
  }

  static func freshPath() -> String {
    FileManager.default.temporaryDirectory.path + "/objectbox-test-" + UUID().uuidString
  }

  static func model() throws -> OpaquePointer { try cModel() }

  func reopen(readOnly: Bool = false) throws {
    store.close()
    store = try Store(model: try cModel(), directory: path, readOnly: readOnly)
  }

  var contacts: Box<Contact> { store.box(for: Contact.self) }
  var readings: Box<Reading> { store.box(for: Reading.self) }
  var markers: Box<Marker> { store.box(for: Marker.self) }
  var tickets: Box<Ticket> { store.box(for: Ticket.self) }
}

struct Stop: Error, Equatable {}

/// Returns the name of the case of an `ObjectBoxError`.
func kind(_ error: any Error) -> String {
  guard error is ObjectBoxError else { return "\(type(of: error))" }
  return Mirror(reflecting: error).children.first?.label ?? "\(error)"
}

/// Runs a body that must throw, and returns the kind of its error.
func kindThrown(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return kind(error)
  }
}
