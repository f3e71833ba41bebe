import ObjectBox
import ObjectBoxCluster

// objectbox: entity
struct Account {
  var id: Id
  var balance: Int
  /// Another value with each write, which tells the transaction that wrote it.
  var stamp: Int
}

/// A transfer that was done, by the number that its client gave it.
// objectbox: entity
struct Transfer {
  // objectbox: id = { "assignable": true }
  var id: Id
  var source: Int
  var target: Int
  var amount: Int
}
