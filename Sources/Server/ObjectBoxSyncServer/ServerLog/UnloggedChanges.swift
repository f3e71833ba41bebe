/// A table that was changed, or may have been changed, without the log.
package struct UnloggedChanges: Hashable, Sendable {
  /// The reason for which the log may lack changes.
  package enum Cause: Hashable, Sendable {
    /// Triggers were disabled or dropped for some time.
    case triggers
    /// ALTER TABLE has rewritten all rows.
    case rewriting
  }

  /// The name of the table.
  package let table: String
  /// The reason.
  package let cause: Cause

  /// The message for people.
  package var message: String {
    let found =
      switch cause {
      case .triggers:
        "the triggers of synchronization on the table '\(table)' were disabled or dropped for a while, so that "
          + "changes of the table may be missing in the log; they are in place now"
      case .rewriting:
        "the values of the table '\(table)' were written anew by 'ALTER TABLE', which calls no triggers"
      }
    return found
      + ". Each device compares its objects of this entity with the database once, and gets those that differ"
  }
}
