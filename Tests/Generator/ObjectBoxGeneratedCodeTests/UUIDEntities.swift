import Foundation
import ObjectBox

struct Batch: RawRepresentable, Equatable {
  var rawValue: UUID
}

/// A converter to texts, as in sources from before UUIDs could be stored.
enum UUIDText {
  static func convert(_ uuid: UUID) -> String { uuid.uuidString }
  static func convert(_ stored: String) -> UUID { UUID(uuidString: stored) ?? UUID() }
}

/// A class with UUIDs in all forms: unique, indexed, plain and converted.
// objectbox: entity, uniqueTogether = ["owner", "label"]
final class Device {
  var id: Id = 0
  // objectbox: unique
  var key = UUID()
  // objectbox: index
  var owner: UUID?
  // objectbox: unique = { "onConflict": "replace" }
  var session: UUID?
  var plain: Foundation.UUID?
  var label: String?
  // objectbox: index, convert = { "dbType": "UUID" }
  var batch: Batch?
  // objectbox: convert = { "dbType": "String", "converter": "UUIDText" }
  var old = UUID()

  init() {}
  init(
    key: UUID = UUID(),
    owner: UUID? = nil,
    session: UUID? = nil,
    plain: UUID? = nil,
    label: String? = nil
  ) {
    self.key = key
    self.owner = owner
    self.session = session
    self.plain = plain
    self.label = label
  }
}

/// A struct whose `id` is not the object ID, with unique values of several types.
struct Visit: Entity {
  // objectbox: id
  var number: EntityId<Visit>
  // objectbox: unique
  let id: UUID
  // objectbox: unique
  let date: Date?
  // objectbox: unique
  let isLast: Bool?
  // objectbox: unique
  var device: ToOne<Device>
}
