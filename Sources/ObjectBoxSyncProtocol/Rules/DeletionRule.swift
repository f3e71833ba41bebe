/// The rule for a deletion and a concurrent update of one object.
package enum DeletionRule: Hashable, Sendable {
  /// The deletion wins. Updates that arrive later are dropped.
  case wins
  /// The later stamp wins. A later update revives the object from its tombstone.
  case clock
}
