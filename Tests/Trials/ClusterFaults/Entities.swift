import ObjectBox
import ObjectBoxCluster

// objectbox: entity
struct Account {
  var id: Id
  var balance: Int
  /// A unique value for each write, which identifies the writing transaction.
  var stamp: Int
}

/// A completed transfer, under its client's number.
// objectbox: entity
struct Transfer {
  // objectbox: id = { "assignable": true }
  var id: Id
  var source: Int
  var target: Int
  var amount: Int
}
