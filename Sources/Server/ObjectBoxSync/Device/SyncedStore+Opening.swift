internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol

extension SyncedStore {
  /// Returns the capture of an open store; creates it for the first instance.
  static func capture(of store: Store) throws -> CommitCapture {
    try store.checkOpen()
    if let known = store.transactions.currentParticipant as? CommitCapture { return known }
    let model = SyncedModel(store.file)
    try check(store, model)
    let table = try store.inTransaction(isWritable: true) { transaction, _ in
      let table = try SyncTable(creatingIn: transaction.storage)
      let stored = try StoredDevice(model, table, in: transaction)
      var device = Device(store: stored, rules: model.rules)
      try device.open(ModelParts(model.descriptions))
      try stored.flushState()
      return table
    }
    let new = CommitCapture(model, table)
    guard let capture = store.transactions.addParticipant(new) as? CommitCapture else {
      throw ObjectBoxError.illegalState(
        message: "the commits of the store at '\(store.directoryPath)' have another participant"
      )
    }
    if capture === new {
      try applying(in: store, capture) { $0.openBlocks() }
    }
    return capture
  }

  /// Queues the objects that were stored before their entities were synchronized.
  ///
  /// Takes a transaction for each portion; other threads may write between two of them.
  static func adopt(in store: Store, _ capture: CommitCapture) throws {
    guard var adoption = try reading(store, capture, { try Adoption($0) }) else { return }
    repeat {
      if adoption.needsPairs { try reading(store, capture) { try adoption.findPairs(in: $0) } }
    } while try applying(in: store, capture, { try adoption.queueNext(in: $0) })
  }

  /// Returns the capture of an open store; nil if it was not synchronized since it was opened.
  static func existingCapture(of store: Store) -> CommitCapture? {
    store.transactions.currentParticipant as? CommitCapture
  }

  /// Returns true if a store has the state of synchronization.
  ///
  /// Returns false for a store that other processes may write to: a client will refuse it.
  static func wasSynchronized(_ store: Store) throws -> Bool {
    if store.file.options.isShared { return false }
    // Only the holder of the write lock opens tables.
    return try store.inTransaction(isWritable: true) { transaction, _ in
      try transaction.storage.openTable(SyncTable.name, .plain, create: false) != nil
    }
  }

  private static func check(_ store: Store, _ model: SyncedModel) throws {
    let place = "cannot synchronize the store at '\(store.directoryPath)'"
    if model.entities.isEmpty {
      throw ObjectBoxError.illegalState(
        message: "\(place): none of its entities is synchronized; annotate them with "
          + "`// objectbox: sync` and run the generator"
      )
    }
    if store.file.isReadOnly {
      throw ObjectBoxError.illegalState(
        message: "\(place): it is open read-only; open it for writing"
      )
    }
    if store.file.options.isShared {
      throw ObjectBoxError.illegalState(
        message:
          "\(place): other processes may write to it, and their writes would not be sent; open it "
          + "without isSharedWithOtherProcesses"
      )
    }
  }
}
