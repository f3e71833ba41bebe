/// A relation with changes that are kept in memory.
protocol PendingRelation: AnyObject {
  var hasPendingDbChanges: Bool { get }
  func applyToDb() throws
}

extension ToMany: PendingRelation {}

/// The changed to-many relations of objects.
enum PendingRelations {
  /// Writes the changes of the to-many relations of a stored object.
  ///
  /// Generated code writes those of new objects only; it does not list the relations, so they are found by
  /// reflection.
  ///
  /// - Parameter entity: An object that was read from the store.
  /// - Throws: ``ObjectBoxError`` as ``ToMany/applyToDb()``.
  static func apply(of entity: Any) throws {
    var mirror: Mirror? = Mirror(reflecting: entity)
    while let level = mirror {
      for child in level.children {
        guard let relation = child.value as? any PendingRelation else { continue }
        if relation.hasPendingDbChanges { try relation.applyToDb() }
      }
      mirror = level.superclassMirror
    }
  }
}
