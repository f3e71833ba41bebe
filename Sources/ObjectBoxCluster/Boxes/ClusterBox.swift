public import ObjectBox

/// The objects of an entity in a cluster.
public struct ClusterBox<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  let source: ReadSource

  init(_ source: ReadSource) {
    self.source = source
  }

  func removeAll(_ ids: [UInt64]) async throws -> UInt64 {
    let table = try query().check()
    let statement = Statement("DELETE FROM \(table.name) WHERE \(table.id.name) = ANY($1)") {
      $0.append(ids: ids)
    }
    return UInt64(try await source.run([statement])[0].changedCount)
  }
}

extension Cluster {
  /// Returns the box of an entity.
  public func box<T>(for type: T.Type = T.self) -> ClusterBox<T>
  where T: EntityInspectable & __EntityRelatable, T == T.EntityBindingType.EntityType {
    ClusterBox(.newest(self))
  }
}
