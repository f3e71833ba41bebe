extension Query {
  /// Gives properties of all results new values, in one write transaction, without making objects.
  ///
  /// The effect equals a get and a put of each result by ascending ID, including indexes, unique values,
  /// relations, checksums, observers and synchronization. Properties that are not set keep their stored values.
  /// An object that has the values already counts as changed, as for a put.
  ///
  ///     let updated = try notes.query { Note.stars == 0 }.build().update {
  ///       $0.set(Note.isPinned, to: false)
  ///       $0.set(Note.created, to: nil)
  ///     }
  ///
  /// Runs in the caller's transaction, or in one of its own. When it throws, none of its changes
  /// stay. Results that a put of another one removes, because it replaces a unique value, are put
  /// again.
  ///
  /// - Parameter change: Sets the values; called once, before the transaction begins.
  /// - Returns: The number of results; 0 if no value was set.
  /// - Throws: The error of the block, before anything is written; ``ObjectBoxError``:
  ///   `illegalArgument` for a value that no record holds, and for the ID; `uniqueViolation`;
  ///   others when the store is closed, read-only or full.
  /// - Complexity: The search, and O(log *n*) page reads for each result in a box of *n* objects.
  @discardableResult
  public func update(_ change: (inout ObjectUpdate<E>) throws -> Void) throws -> UInt64 {
    var update = ObjectUpdate<E>()
    try change(&update)
    guard !update.values.isEmpty else { return 0 }
    // The results are put by ascending ID, whatever their order.
    var plain = selection.copy
    plain.orders = []
    return try box.writingUndoably { writer, state in
      try executing(plain) { execution, _ in
        try state.withBuilder(writer.layout) { builder in
          let values = try RecordUpdate(update.values, of: writer.table.schema, in: builder)
          if execution.isPlainScan, !writer.mayReplace(values) {
            return try writer.update(by: values, in: builder) { try execution.matches($0) }
          }
          let ids = try execution.ids(offset: 0, limit: 0)
          return try writer.update(ids, by: values, in: builder)
        }
      }
    }
  }
}

extension QueryExecution {
  /// True when the run reads all objects and decides about each by its record alone.
  fileprivate var isPlainScan: Bool {
    plan.isScan && skipped == nil && links.isEmpty
  }
}
