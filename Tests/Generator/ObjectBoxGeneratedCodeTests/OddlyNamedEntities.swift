import Foundation
import ObjectBox

// Names that generated code must tell from its own, and from those of the library.

/// A class with the name of a parameter of `Property` and `Box`, and with types of its own that
/// have names of other modules.
// objectbox: entity
final class E {
  struct Data {}
  enum Date { case never }

  var id: EntityId<E> = 0
  var payload: Foundation.Data = Foundation.Data()
  var maybeDate: Foundation.Date?
  var count: Swift.Int = 0
  // objectbox: transient
  var own: Data?
  // objectbox: backlink = "owner"
  var values: ToMany<V> = nil
  var others: ToMany<R> = nil

  init() {}
}

/// A struct whose names need backticks.
// objectbox: entity
struct V {
  var id: EntityId<V>
  var `first name`: String
  var `class`: Int
  var `2nd`: Int?
  var owner: ToOne<E>
}

/// A class whose relations need backticks, with a type of its own that has the name of the ID's type.
// objectbox: entity
final class R {
  struct Id {}

  var id: ObjectBox.Id = 0
  // objectbox: index, convert = { "default": ".plain" }
  var `the kind`: Kind? = nil
  var `to one`: ToOne<E> = nil
  var `to many`: ToMany<V> = nil

  enum Kind: Int { case plain, odd }

  init() {}
}

/// A struct whose name, enum and relation need backticks, and whose ID only it can set.
// objectbox: entity
struct `self made` {
  private(set) var id: EntityId<`self made`>
  // objectbox: convert = { "default": ".`default`" }
  var `is`: `case`
  var next: ToOne<`self made`>

  enum `case`: Int { case `default`, other }
}

// objectbox: base
class `in` {
  var id: Id = 0

  init() {}
}

/// A class whose superclass needs backticks.
// objectbox: entity
final class `as`: `in` {
  var count = 0
}
