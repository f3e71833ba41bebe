/// The progress of a migration of values while a store is opened.
///
/// ``Store/Configuration/onMigration`` receives it.
public struct MigrationProgress: Hashable, Sendable {
  /// The name of the entity whose objects are migrated.
  public var entityName: String
  /// Number of objects that are done, including those that needed no migration.
  public var completedCount: Int
  /// Number of objects of the entity.
  public var totalCount: Int

  package init(entityName: String, completedCount: Int, totalCount: Int) {
    self.entityName = entityName
    self.completedCount = completedCount
    self.totalCount = totalCount
  }
}
