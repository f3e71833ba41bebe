import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// A transaction of a store of any kind.
struct AnyTransaction {
  fileprivate let embedded: Store?
  /// Nil in a read block.
  fileprivate var writing: WriteTransaction?
  fileprivate let cluster: ClusterTransaction?

  func box<E>(_ type: E.Type = E.self) -> AnyBox<E>
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    AnyBox(embedded: embedded?.box(for: E.self), cluster: cluster?.box(for: E.self))
  }

  func put<E>(_ object: E) async throws
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    if let cluster { try await cluster.put(object) } else { try writing?.put(object) }
  }

  func remove<E>(_ object: E) async throws
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    if let cluster { try await cluster.remove(object) } else { try writing?.remove(object) }
  }

  /// Loads the objects of a relation.
  func load<S>(_ relation: ToMany<S>) async throws
  where S: EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
    try await relation.load(in: cluster)
  }

  /// Returns the IDs of a relation's targets.
  func ids<S>(_ relation: ToMany<S>) async throws -> [Id]
  where S: EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
    try await relation.loadIds(in: cluster).map(\.value)
  }

  /// Makes a call of the transaction itself.
  func used() async throws {
    if let cluster {
      _ = try await cluster.box(for: Person.self).count()
    } else {
      _ = try writing?.count(Person.self)
    }
  }

  /// Runs a part that is undone separately when it throws.
  @discardableResult
  func part<R>(_ body: @escaping () async throws -> R) async throws -> R {
    if let cluster { return try await cluster.savepoint(body) }
    let embedded = try #require(embedded)
    return try embedded.runInTransaction { try synchronously(body) }
  }
}

extension AnyStore {
  @discardableResult
  func write<R>(_ body: @escaping (AnyTransaction) async throws -> R) async throws -> R {
    if let cluster {
      return try await cluster.write { try await body(AnyTransaction(embedded: nil, cluster: $0)) }
    }
    return try writing(body)
  }

  private func writing<R>(_ body: @escaping (AnyTransaction) async throws -> R) throws -> R {
    let embedded = try #require(embedded)
    return try embedded.write { transaction in
      try synchronously {
        try await body(AnyTransaction(embedded: embedded, writing: transaction, cluster: nil))
      }
    }
  }

  @discardableResult
  func read<R>(_ body: @escaping (AnyTransaction) async throws -> R) async throws -> R {
    if let cluster {
      return try await cluster.read { try await body(AnyTransaction(embedded: nil, cluster: $0)) }
    }
    let embedded = try #require(embedded)
    return try embedded.read { _ in
      try synchronously { try await body(AnyTransaction(embedded: embedded, cluster: nil)) }
    }
  }
}

/// Calls of another program, while the caller's transaction is open.
extension AnyStore {
  func putElsewhere<E>(_ make: @escaping @Sendable () -> E) async throws
  where
    E: SendableMetatype & EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType
  {
    try await elsewhere {
      _ = try $0.box(for: E.self).put(make())
    } _: {
      _ = try await $0.box(for: E.self).put(make())
    }
  }

  func countElsewhere<E>(_ type: E.Type) async throws -> Int
  where
    E: SendableMetatype & EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType
  {
    try await elsewhere {
      try $0.box(for: E.self).count()
    } _: {
      try await $0.box(for: E.self).count()
    }
  }

  private func elsewhere<R: Sendable>(
    _ a: @escaping @Sendable (Store) throws -> R,
    _ b: @escaping @Sendable (Cluster) async throws -> R
  ) async throws -> R {
    if let cluster { return try await Task.detached { try await b(cluster) }.value }
    return try onThread(a)
  }

  private func onThread<R: Sendable>(_ body: @escaping @Sendable (Store) throws -> R) throws -> R {
    let embedded = try #require(embedded)
    let result = ThreadResult<R>()
    let done = DispatchSemaphore(value: 0)
    Thread {
      let value = Result { try body(embedded) }
      result.value.withLock { $0 = value }
      done.signal()
    }.start()
    done.wait()
    return try #require(result.value.withLock { $0 }).get()
  }
}

/// Runs a body that never suspends on this thread, which the transactions of embedded stores belong
/// to.
func synchronously<R>(_ body: @escaping () async throws -> R) throws -> R {
  let run = SynchronousRun(body)
  Task(executorPreference: CallingThread.shared) { await run.run() }
  return try #require(run.result, "the body has waited").get()
}

/// Unchecked: the task that runs it ends before the call that started it.
private final class SynchronousRun<R>: @unchecked Sendable {
  private let body: () async throws -> R
  private(set) var result: Result<R, any Error>?

  init(_ body: @escaping () async throws -> R) {
    self.body = body
  }

  func run() async {
    do {
      result = .success(try await body())
    } catch {
      result = .failure(error)
    }
  }
}

/// Runs the jobs of a task on the thread that adds them.
private final class CallingThread: TaskExecutor {
  static let shared = CallingThread()

  func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}

private final class ThreadResult<R: Sendable>: Sendable {
  let value = Guarded<Result<R, any Error>?>(nil)
}
