internal import ObjectBoxGenerator

/// Conflicts and notes of a merge.
extension DiagnosticMessage {
  private static let decide =
    "decide for one, make it so on one of the branches (sources, then the generator), commit, and "
    + "merge again"

  static func mergeConflict(_ title: String, _ trait: TraitConflict) -> Self {
    let sides = "\(trait.ours) in ours and \(trait.theirs) in theirs"
    return "conflict: the \(trait.subject) of \(title) is \(sides); \(decide)"
  }

  static func mergeRemoved(_ title: String, byOurs: Bool) -> Self {
    let sides =
      byOurs ? "ours removed it and theirs changed it" : "theirs removed it and ours changed it"
    return "conflict: \(title): \(sides); to keep it, take the removal back on its branch, to "
      + "remove it, take the change back on the other, commit, and merge again"
  }

  static func mergeRemovedAddition(_ title: String, byOurs: Bool) -> Self {
    let sides = byOurs ? "ours had it and removed it" : "theirs had it and removed it"
    let other = byOurs ? "theirs still has it" : "ours still has it"
    return "conflict: \(title): \(sides), and \(other); a removed UID never comes back, so remove "
      + "it there as well, or add it anew under a fresh UID, and merge again"
  }

  static func mergeSameName(_ title: String, ours: UInt64, theirs: UInt64) -> Self {
    "conflict: \(title) stands in both with different UIDs, \(ours) in ours and \(theirs) in "
      + "theirs; when both mean the same, remove it from one branch (sources, then the generator), "
      + "else give one another name, commit, and merge again"
  }

  static func mergeSameUID(_ uid: UInt64, ours: String, theirs: String) -> Self {
    "conflict: the UID \(uid) is \(ours) in ours and \(theirs) in theirs; one of the branches has "
      + "copied it by hand: give one of them a fresh UID there (remove the element from the "
      + "sources, run the generator, add it again), and merge again"
  }

  static func mergeLostTarget(_ title: String, target: String) -> Self {
    "conflict: \(title) points to entity '\(target)', which the other side removed; take the "
      + "removal back, or remove the relation, commit, and merge again"
  }

  static func mergeTwoIDs(_ entity: String, _ names: [String]) -> Self {
    let list = names.map { "'\($0)'" }.joined(separator: " and ")
    return "conflict: ours and theirs made different properties the ID of entity '\(entity)': "
      + "\(list); \(decide)"
  }

  static func mergeExhausted(_ kind: String) -> Self {
    "conflict: there is no \(kind) ID left above \(UInt32.max)"
  }

  // MARK: Notes

  private static func side(_ isOurs: Bool) -> String { isOurs ? "ours" : "theirs" }

  private static func moved(_ title: String, _ move: NumberMerge.Move, _ effect: String) -> Self {
    note(
      "\(title) had ID \(move.from) in \(side(move.isOurs)) and gets ID \(move.to), with its UID; "
        + "\(effect)"
    )
  }

  private static let refused =
    "a store that was written with that model is refused by the merged one: start it anew"

  static func mergeMovedEntity(_ title: String, _ move: NumberMerge.Move) -> Self {
    moved(title, move, refused)
  }

  static func mergeMovedProperty(_ title: String, _ move: NumberMerge.Move, isTaken: Bool) -> Self {
    let lost = "in a store that was written with that model its values are lost"
    return moved(title, move, isTaken ? refused : lost)
  }

  static func mergeMovedRelation(_ title: String, _ move: NumberMerge.Move) -> Self {
    moved(title, move, "start stores anew that were written with that model")
  }

  static func mergeSameIndex(_ title: String, retired: UInt64) -> Self {
    note(
      "\(title) got its index on both sides; the one of ours stays, and the UID \(retired) of "
        + "theirs is retired"
    )
  }
}
