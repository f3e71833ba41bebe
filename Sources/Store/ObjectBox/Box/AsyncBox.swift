public import Foundation

/// Queues puts and removals without waiting for the disk.
///
/// The writer thread of the store runs them in order, many in one commit.
///
/// Each object is encoded when it is queued. A write that fails (an insert of an existing ID, an update of a missing
/// object, a taken unique value, a full disk) drops only its own object. ``Store/Configuration/onUnheardFailure`` is
/// called once for each dropped object, with its ID and the reason, and ``Store/statistics`` counts it.
/// ``Store/awaitAsyncSubmitted()`` and closing the store wait for the queued writes. If the process ends otherwise,
/// they are lost.
///
/// Asynchronous puts do not store changes of to-many relations: call `applyToDb` on the relations.
/// New targets of to-one relations are put before the call returns, in a transaction that waits for
/// other writers.
///
/// Any thread may use it. It retains its box.
public final class AsyncBox<E>: Sendable
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  private let box: Box<E>
  private let enqueueTimeout: TimeInterval

  /// Makes an asynchronous view of a box; usually, use ``Box/async``.
  ///
  /// - Parameters:
  ///   - box: The box that stores the objects.
  ///   - enqueueTimeout: The longest wait for room in the queue, in seconds, rounded to
  ///     milliseconds. The queue is full with 10,000 writes or 64 MiB.
  public init(box: Box<E>, enqueueTimeout: TimeInterval) {
    self.box = box
    self.enqueueTimeout = enqueueTimeout
  }

  // MARK: Putting

  /// Queues a put of an object.
  ///
  /// - Parameters:
  ///   - entity: An object; with ID 0 it gets the next ID, an instance of a class at once.
  ///   - mode: Whether the object must or must not exist when it is written.
  /// - Returns: The object's ID.
  /// - Throws: ``ObjectBoxError``: `illegalState` when the store is closed or read-only,
  ///   `illegalArgument` for an ID that the store never assigned, `unknown` with code 1002 when the
  ///   queue had no room in time.
  @discardableResult
  public func put(_ entity: E, mode: PutMode = .put) throws -> EntityId<E> {
    EntityId(try enqueue(CollectionOfOne(entity), mode: mode)[0])
  }

  /// Queues a put for each object; queues none when it throws.
  ///
  /// - Parameters:
  ///   - entities: Objects; instances of classes get their new IDs at once.
  ///   - mode: Whether the objects must or must not exist when they are written.
  /// - Returns: The IDs, in the order of the objects.
  /// - Throws: ``ObjectBoxError`` as for a single object.
  @discardableResult
  public func put<C: Collection>(_ entities: C, mode: PutMode = .put) throws -> [EntityId<E>]
  where C.Element == E {
    try enqueue(entities, mode: mode).map { EntityId($0) }
  }

  /// Queues a put for each object; queues none when it throws.
  ///
  /// - Parameters:
  ///   - entities: Objects; instances of classes get their new IDs at once.
  ///   - mode: Whether the objects must or must not exist when they are written.
  /// - Returns: The IDs, in the order of the objects.
  /// - Throws: ``ObjectBoxError`` as for a single object.
  @discardableResult
  public func put(_ entities: [E], mode: PutMode = .put) throws -> [EntityId<E>] {
    try enqueue(entities, mode: mode).map { EntityId($0) }
  }

  /// Queues a put for each object; queues none when it throws.
  ///
  /// - Parameters:
  ///   - entities: Objects; instances of classes get their new IDs at once.
  ///   - mode: Whether the objects must or must not exist when they are written.
  /// - Returns: The IDs, in the order of the objects.
  /// - Throws: ``ObjectBoxError`` as for a single object.
  @discardableResult
  public func put(
    _ entities: ContiguousArray<E>,
    mode: PutMode = .put
  ) throws -> ContiguousArray<EntityId<E>> {
    ContiguousArray(try enqueue(entities, mode: mode).lazy.map { EntityId($0) })
  }

  /// Queues a put for each object; queues none when it throws.
  ///
  /// - Parameters:
  ///   - entities: Objects; instances of classes get their new IDs at once.
  ///   - mode: Whether the objects must or must not exist when they are written.
  /// - Returns: The IDs, in the order of the objects.
  /// - Throws: ``ObjectBoxError`` as for a single object.
  @discardableResult
  public func put(_ entities: E..., mode: PutMode = .put) throws -> [EntityId<E>] {
    try enqueue(entities, mode: mode).map { EntityId($0) }
  }

  // MARK: How

  private func enqueue<C: Collection>(_ entities: C, mode: PutMode) throws -> [UInt64]
  where C.Element == E {
    try checkWritable()
    guard !entities.isEmpty else { return [] }
    let binding = E.entityBinding
    let transactions = box.store.transactions
    let table = try box.table()
    var puts: [EncodedPut] = []
    puts.reserveCapacity(entities.count)
    var renamed: [E] = []
    do {
      for entity in entities {
        let given = binding.entityId(of: entity)
        let id = try transactions.chooseIDAhead(given: given, of: table)
        let put = EncodedPut(
          table: table,
          id: id,
          record: try box.encode(entity, id: id, of: table),
          mode: mode,
          isNew: false  // A synchronous put may store the object first.
        )
        puts.append(put)
        if given == 0, Box<E>.isClass {
          // Set at once: the collection may contain the object again.
          binding.setEntityIdUnlessStruct(of: entity, to: id)
          renamed.append(entity)
        }
      }
      try box.store.openStore.writer.enqueue(puts, timeout: enqueueTimeout)
    } catch {
      for entity in renamed { binding.setEntityIdUnlessStruct(of: entity, to: 0) }
      throw error
    }
    return puts.map(\.id)
  }

  func enqueueRemovals<S: Sequence>(_ ids: S) throws where S.Element == UInt64 {
    try checkWritable()
    let table = try box.table()
    let ids = ids.filter { $0 != 0 }
    guard !ids.isEmpty else { return }
    // Objects that are removed together do not restrict each other's removal.
    let parts = table.links.hasDeleteRules ? [ids] : ids.map { [$0] }
    let removals = parts.map { AsyncRemoval(table: table, ids: $0) }
    try box.store.openStore.writer.enqueue(removals, timeout: enqueueTimeout)
  }

  private func checkWritable() throws {
    try box.store.checkOpen()
    try box.store.checkWritable()
    if box.store.file.isReadOnly { throw StoreError.readOnly(box.store.directoryPath) }
  }
}

extension Box {
  /// The asynchronous view of this box: the same instance while a reference to it exists.
  ///
  /// Its calls wait up to ten seconds for room in the queue.
  ///
  ///     let id = try notes.async.put(Note(title: "Milk"))  // returns before the note is stored
  ///     store.awaitAsyncSubmitted()
  ///     let note = try notes.get(id)
  public var async: AsyncBox<E> {
    store.asyncBoxes.object(E.entityInfo.entitySchemaId) { AsyncBox(box: self, enqueueTimeout: 10) }
  }
}
