internal import Foundation
internal import ObjectBox

/// Answers for the relations of a cluster's objects; during a put, its buffer answers for the objects being put.
final class ClusterHost: RelationHost {
  /// The name of the store without files that represents the model.
  let location = "memory:cluster-\(UUID().uuidString)"

  private struct Owner: Sendable {
    weak var cluster: Cluster?
  }

  private let owner = Guarded(Owner())

  /// The cluster of the objects; nil once it is released.
  var cluster: Cluster? {
    get { owner.withLock { $0.cluster } }
    set { owner.withLock { $0.cluster = newValue } }
  }

  var readingError: ObjectBoxError {
    .illegalState(
      message:
        "a relation of an object in a cluster was read before it was loaded; load it with the object by "
        + "'include', or with 'try await relation.load()'"
    )
  }

  var writingError: ObjectBoxError {
    .illegalState(
      message:
        "an object in a cluster can be put by a box or transaction of the cluster only, with 'try await'"
    )
  }

  func idPuttingOnTheWay<E>(_ object: E) throws -> UInt64
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    guard let buffer = Attempt.current?.buffer else { throw writingError }
    return try buffer.idPuttingOnTheWay(object)
  }

  func relatedObjects<S>(of link: RelationLink) throws -> [S]
  where S: EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
    let entity = S.entityInfo.entitySchemaId
    guard let buffer = Attempt.current?.buffer, buffer.replaceAll(of: link, in: entity) else {
      throw readingError
    }
    return []
  }

  func apply<S>(added: [S], removed: [S], to link: RelationLink) throws
  where S: EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
    guard let buffer = Attempt.current?.buffer else { throw writingError }
    try buffer.apply(added: added, removed: removed, to: link)
  }

  func onRollback(_ action: @escaping () -> Void) { Attempt.current?.buffer?.onRollback(action) }
}
