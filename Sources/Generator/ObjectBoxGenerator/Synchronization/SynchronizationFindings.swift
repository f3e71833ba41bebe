// Findings of `SynchronizationRun`, and their fixes.

extension FixIt {
  /// Makes the fix of a bare `uid`: with its number, the element keeps its data when its name
  /// changes.
  static func renaming(_ annotation: SourceSpan, uids: [UInt64]) -> FixIt {
    let text = UIDRule.text(of: uids)
    return FixIt(
      "write '\(text)', so that the name can be changed",
      edits: [Edit(annotation, replacement: text)],
      isSafe: true
    )
  }
}

extension DiagnosticMessage {
  static func sameElement(_ kind: String, _ first: String, _ second: String, uid: UInt64) -> Self {
    "the \(kind) '\(first)' and '\(second)' stand for the same element of the model with the UID "
      + "\(uid), one by its uid and one by its name; remove one, or give it another name"
  }

  static func uidNeedsValue(_ title: String) -> Self {
    "\(title) is new, so its uid annotation needs a number; remove the annotation"
  }

  /// The answer to a bare `uid`; `migration` is the annotation that keeps the values of a property
  /// whose type changes.
  static func tellUID(
    _ title: String,
    current: UInt64,
    new: UInt64,
    migration: String? = nil
  ) -> Self {
    "\(wayToKeep(title, current, migration)); to reset its stored values, write `uid = \(new)`"
  }

  /// The answer to a bare `uid` when no new UID is kept.
  static func tellCurrentUID(
    _ title: String,
    current: UInt64,
    migration: String? = nil
  ) -> Self {
    "\(wayToKeep(title, current, migration)); to be told one that resets its stored values, correct "
      + "the other findings first"
  }

  private static func wayToKeep(_ title: String, _ uid: UInt64, _ migration: String?) -> String {
    "\(title) has the UID \(uid); "
      + (migration.map { "to keep its values in the new type, write `\($0)` instead" }
        ?? "to rename it, write `uid = \(uid)` and change the name")
  }

  static func uidUsedTwice(_ uid: UInt64, _ title: String) -> Self {
    "\(title) asks for the UID \(uid), which another declaration has; remove one of them"
  }

  static func noSuchElement(_ uid: UInt64, _ title: String) -> Self {
    "\(title) asks for the UID \(uid), which is not in the model; write `uid` without a number to "
      + "be told the right one"
  }

  static func retiredElement(_ uid: UInt64, _ title: String) -> Self {
    "\(title) asks for the UID \(uid), which an earlier run has retired; take back the model file "
      + "as it was before that run (from version control, or the .bak beside it), and run again"
  }

  static func uidNotInPool(_ uid: UInt64, _ title: String) -> Self {
    "\(title) asks for the UID \(uid), but its entity is new and the UID is not in the pool of the "
      + "model; remove the annotation"
  }

  static func outOfIDs(_ title: String, key: String, last: UInt32) -> Self {
    "\(title) is new, and there is no ID for it: \(key) of the model is \(last) already; restore "
      + "the model file from version control, or begin a new entity or model"
  }

  static func propertyIDOutOfRange(_ title: String, _ id: UInt32, greatest: UInt32) -> Self {
    "\(title) has ID \(id) in the model, and only 1 to \(greatest) can be stored; restore the "
      + "model file from version control"
  }

  static func outOfUIDs(last uid: UInt64) -> Self {
    "no free UID was found in 1000 draws, the last of which was \(uid); run the generator again"
  }
}
