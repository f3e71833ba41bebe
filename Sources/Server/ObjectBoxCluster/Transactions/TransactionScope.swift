internal import ObjectBox
internal import Synchronization

/// The transaction whose block a task runs; detects another one that begins inside it.
///
/// The inner transaction would use another connection, and could wait forever for rows that the
/// outer one has changed. Tasks started in the block inherit the scope, and may outlive it.
final class TransactionScope: Sendable {
  @TaskLocal private static var current: TransactionScope?

  private let cluster: ObjectIdentifier
  private let isReadOnly: Bool
  private let outer: TransactionScope?
  private let hasEnded = Atomic<Bool>(false)

  private init(_ cluster: Cluster, isReadOnly: Bool) {
    self.cluster = ObjectIdentifier(cluster)
    self.isReadOnly = isReadOnly
    outer = Self.current
  }

  /// True if the task runs in the block of a transaction of any cluster.
  static var isInside: Bool { current != nil }

  /// Runs a body in the scope of a transaction.
  ///
  /// - Throws: Errors of the body; `ObjectBoxError` of ``check(_:isReadOnly:)``.
  static func run<R>(
    _ cluster: Cluster,
    isReadOnly: Bool,
    _ body: () async throws -> R
  ) async throws -> R {
    try check(cluster, isReadOnly: isReadOnly)
    let scope = TransactionScope(cluster, isReadOnly: isReadOnly)
    defer { scope.hasEnded.store(true, ordering: .releasing) }
    return try await $current.withValue(scope) { try await body() }
  }

  /// Checks that a transaction may begin in this task.
  ///
  /// - Throws: `ObjectBoxError`: `alreadyInWriteTransaction` in a block of `write`, `cannotWriteWhileReading` for a
  ///   write in a block of `read`.
  static func check(_ cluster: Cluster, isReadOnly: Bool) throws {
    var scope = current
    while let next = scope {
      scope = next.outer
      guard next.cluster == ObjectIdentifier(cluster), !next.hasEnded.load(ordering: .acquiring)
      else { continue }
      if !next.isReadOnly {
        throw ObjectBoxError.alreadyInWriteTransaction(
          message:
            "a block of 'cluster.write' cannot begin another transaction of the cluster, which might wait for it; "
            + "use the transaction that the block is passed, and its 'savepoint' for a part"
        )
      }
      if !isReadOnly {
        throw ObjectBoxError.cannotWriteWhileReading(
          message: "a block of 'cluster.read' cannot write; write after it, or use 'cluster.write'"
        )
      }
    }
  }
}
