/// A relation of one object, its host.
package struct RelationLink: Hashable, Sendable {
  /// The end at the host.
  package let end: RelationEnd
  /// The ID of the host; 0 when it was never stored.
  package let host: UInt64

  /// Returns the IDs of the related objects in their entity, ascending.
  func ids(in table: EntityTable, _ transaction: Transaction) throws -> [UInt64] {
    try RelationReader(end, table, in: transaction).ids(of: host)
  }
}
