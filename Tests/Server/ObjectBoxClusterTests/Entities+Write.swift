import ObjectBox
import ObjectBoxCluster

/// Has a unique value that replaces, and a relation whose target's removal removes the object.
// objectbox: entity
final class Link {
  var id: Id = 0
  // objectbox: unique = { "onConflict": "replace" }
  var name: String?
  // objectbox: onDelete = "cascade"
  var next: ToOne<Link> = nil

  init() {}

  init(_ name: String?) {
    self.name = name
  }
}

/// Forbids the removal of its target.
// objectbox: entity
final class Guest {
  var id: Id = 0
  var name: String = ""
  // objectbox: onDelete = "restrict"
  var room: ToOne<Room> = nil

  init() {}

  init(_ name: String, _ room: Room? = nil) {
    self.name = name
    self.room.target = room
  }
}

// objectbox: entity
final class Room {
  var id: Id = 0
  var name: String = ""
  // objectbox: backlink = "room"
  var guests: ToMany<Guest> = nil
  /// Removed with the room.
  // objectbox: onDelete = "cascade"
  var lamps: ToMany<Lamp> = nil

  init() {}

  init(_ name: String) {
    self.name = name
  }
}

// objectbox: entity
final class Lamp {
  var id: Id = 0
  var name: String = ""

  init() {}

  init(_ name: String) {
    self.name = name
  }
}

/// Has an ID that the caller may assign, and two properties that are unique together.
// objectbox: entity
// objectbox: uniqueTogether = ["x", "y"]
struct Spot: Equatable {
  // objectbox: id = { "assignable": true }
  var id: Id
  var x: Int?
  var y: Int?
}

/// Replaces by either of two values; has no relation.
// objectbox: entity
final class Badge {
  var id: Id = 0
  // objectbox: unique = { "onConflict": "replace" }
  var code: String?
  // objectbox: unique = { "onConflict": "replace" }
  var number: Int?
  var text: String = ""

  init() {}

  init(code: String?, number: Int? = nil, text: String = "") {
    self.code = code
    self.number = number
    self.text = text
  }
}

/// A struct that refers to a struct.
// objectbox: entity
struct Parcel {
  var id: Id
  var text: String
  var sender: ToOne<Sender>
}

// objectbox: entity
struct Sender {
  let id: EntityId<Sender>
  var name: String
}
