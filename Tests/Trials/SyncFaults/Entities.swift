import ObjectBox

/// One half of what a transaction inserts; the other half has the same token.
// objectbox: entity, sync
struct Entry {
  var id: Id
  /// The name of the transaction; not unique, so that a write which was applied twice shows.
  var token: String
  /// `a` or `b`.
  var part: String
  /// The token of a write that the device saw when it wrote this one; empty without one.
  var cause: String
  /// The team that may see and write the entry.
  // objectbox: index
  var team: String
  /// A place that only one entry can have: devices compete for some of them.
  // objectbox: unique
  var slot: String
}

/// One of two objects that transactions stamp together. Cells 1 and 2 are a couple, 3 and 4, and so on.
// objectbox: entity, sync
struct Cell {
  var id: Id
  // objectbox: unique
  var number: Int
  /// The token of the last transaction; `end` when the trial is over.
  var stamp: String
}
