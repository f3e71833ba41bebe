internal import ObjectBoxStorage

extension Box {
  /// Stores one object together with those that other threads put at the same time, and returns its ID,
  /// which is not written back yet; nil when it is to be stored in a transaction of its own.
  ///
  /// The record is made on this thread. It pays where commits wait for the disk and another thread writes
  /// just now; an object that can refer to others is left alone, since its put may put those as well.
  func putGathered(_ entity: E, mode: PutMode) throws -> UInt64? {
    let core = store.core
    guard core.isDurable, core.gate.isTaken || core.gatheredWrites.expectsOthers,
      !core.isReadOnly, core.configuration.groupCommit.maximumGroupSize > 1
    else { return nil }
    try store.checkOpen()
    let table = try table()
    let state = ThreadContext.current.state(for: core)
    guard state.current == nil, !state.isEncoding, !table.links.isLinked, !core.isClosed else {
      return nil
    }
    let binding = E.entityBinding
    let given = binding.entityId(of: entity)
    if given != 0 {
      try core.admitAhead(id: given, of: table)
    } else if mode == .update {
      // Refused where puts are refused.
      return nil
    }
    let id = given == 0 ? try core.takeIDAhead(of: table) : given
    guard let record = try recordWithoutWriting(of: entity, id: id, table, state) else {
      return nil
    }
    let write = GatheredWrite { [self] transaction in
      let writer = try ObjectWriter(table, in: transaction)
      try record.withUnsafeBytes { try writer.put($0, id: id, isNew: given == 0, mode: mode) }
      try binding.postPut(fromEntity: entity, id: id, store: store)
      transaction.gatheredPuts.append(table.number)
    }
    try core.gatheredWrites.run(write, in: core) { error in
      (error as? ObjectBoxError).map(ObjectWriter.isRefusal) ?? false
    }
    return id
  }

  /// Makes the record of an object; nil when its binding wants to put others on the way.
  private func recordWithoutWriting(
    of entity: E,
    id: UInt64,
    _ table: EntityTable,
    _ state: StoreThreadState
  ) throws -> [UInt8]? {
    let layout = table.records.currentLayout
    state.isEncoding = true
    defer { state.isEncoding = false }
    do {
      return try state.withBuilder(layout) { builder in
        builder.scratch.begin(layout: layout)
        try E.entityBinding.collect(
          fromEntity: entity,
          id: id,
          propertyCollector: builder,
          store: store
        )
        return [UInt8](try builder.scratch.finish())
      }
    } catch is StoreThreadState.WriteWhileEncoding {
      return nil
    }
  }
}
