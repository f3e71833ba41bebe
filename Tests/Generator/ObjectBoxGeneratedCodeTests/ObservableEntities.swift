import Foundation
import ObjectBox
import Observation

/// A class whose changes views of a user interface follow.
// objectbox: entity
@Observable
final class Errand {
  var id: Id = 0
  // objectbox: unique
  var name = ""
  var due: Date?
  var level: UInt8?
  @ObservationIgnored var note = ""
  // objectbox: transient
  var isSelected = false
  var journey: ToOne<Journey> = nil
  var helpers: ToMany<Helper> = nil

  init() {}
  init(_ name: String) { self.name = name }
}

// objectbox: entity
@Observable
final class Journey {
  var id: EntityId<Journey> = 0
  var name = ""
  // objectbox: backlink = "journey"
  var errands: ToMany<Errand> = nil

  init() {}
  init(_ name: String) { self.name = name }
}

/// A class with a property of the name that the runtime uses.
// objectbox: entity
final class Helper {
  var id: Id = 0
  var _id = ""
  // objectbox: backlink = "helpers"
  var errands: ToMany<Errand> = nil

  init() {}
}
