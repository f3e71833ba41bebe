/// The flags of properties and entities, as written in Swift.
enum FlagNames {
  private static let propertyFlags: [(PropertyFlags, String)] = [
    (.id, "id"), (.unsigned, "unsigned"), (.unique, "unique"), (.indexHash, "indexHash"),
    (.indexHash64, "indexHash64"), (.indexed, "indexed"),
    (.indexPartialSkipZero, "indexPartialSkipZero"), (.idSelfAssignable, "idSelfAssignable"),
    (.idCompanion, "idCompanion"), (.uniqueOnConflictReplace, "uniqueOnConflictReplace"),
    (.syncClock, "syncClock"), (.syncPrecedence, "syncPrecedence"),
    (.uniqueOnConflictMerge, "uniqueOnConflictMerge"), (.syncCounter, "syncCounter"),
  ]

  private static let entityFlags: [(EntityFlags, String)] = [
    (.useNoArgConstructor, "useNoArgConstructor"), (.syncEnabled, "syncEnabled"),
    (.sharedGlobalIds, "sharedGlobalIds"), (.syncResolve, "syncResolve"),
    (.syncPropertyClocks, "syncPropertyClocks"),
  ]

  /// Returns one flag or a list of flags; empty for none.
  static func list(of flags: PropertyFlags) -> String {
    list(propertyFlags.filter { flags.contains($0.0) }.map(\.1))
  }

  /// Returns one flag or a list of flags; empty for none.
  static func list(of flags: EntityFlags) -> String {
    list(entityFlags.filter { flags.contains($0.0) }.map(\.1))
  }

  private static func list(_ names: [String]) -> String {
    let names = names.map { "." + $0 }
    return names.count < 2 ? names.joined() : "[\(names.joined(separator: ", "))]"
  }
}
