/// The result of the conflict function for one transaction.
package enum Application: Sendable {
  /// Rows are missing: load them and apply the transaction again.
  case needs(Needs)
  /// The transaction has these effects.
  case changes(Changes)
  /// The transaction has no effect.
  case rejected(Rejection)

  /// Applies a transaction to the rows of a source.
  ///
  /// The server decides with it, and a device forecasts the server's decision with it. It writes nothing: the caller
  /// stores the changes.
  ///
  /// - Parameters:
  ///   - transaction: The transaction.
  ///   - time: The transaction's time; on the server, the clamped time.
  ///   - rows: The rows before the transaction, as far as they are loaded.
  ///   - rules: The rules of all entities.
  ///   - side: The side that runs the function.
  ///   - mayWrite: True if the user may write an object. A device passes true, since only the server knows the rights.
  /// - Returns: The effects, a rejection, or the rows to read first.
  /// - Throws: Errors of the source.
  /// - Complexity: O(*n*) lookups for *n* operations, and for each removed object the pairs to it.
  package static func apply(
    _ transaction: SyncTransaction,
    at time: HybridTime,
    to rows: some RowSource,
    rules: SyncRules,
    side: Side,
    mayWrite: WriteTest
  ) throws -> Application {
    try withoutActuallyEscaping(mayWrite) { mayWrite in
      var applier = Applier(
        transaction: transaction,
        time: time,
        rows: rows,
        rules: rules,
        side: side,
        mayWrite: mayWrite
      )
      do {
        try applier.run()
      } catch let rejection as Rejection {
        let needs = applier.overlay.needs
        return needs.isEmpty ? .rejected(rejection) : .needs(needs)
      }
      let needs = applier.overlay.needs
      return needs.isEmpty ? .changes(applier.changes) : .needs(needs)
    }
  }

  /// The place where the conflict function runs.
  package enum Side: Sendable {
    /// The server, whose result is final.
    case server
    /// A device, whose result is a forecast. It knows no tombstones and not all objects.
    case device
  }
}

/// Returns true if a user may write an object with the given key and row.
///
/// The last parameter looks up an object that the row refers to. It returns nil if that object does not exist or has to
/// be read first.
package typealias WriteTest = @Sendable (ObjectKey, Row, (ObjectKey) throws -> Row?) throws -> Bool

/// The effects of an applied transaction.
package struct Changes: Sendable {
  /// The changed objects; nil for removed ones.
  package let rows: [ObjectKey: Row?]
  /// The removed objects, whose IDs stay taken.
  package let tombstones: Set<ObjectKey>
  /// Operations without effect.
  package let dropped: [DroppedOperation]
  /// Inserted objects that got another identity.
  package let identities: [NewIdentity]

  /// True if nothing is stored.
  package var isEmpty: Bool { rows.isEmpty && tombstones.isEmpty }

  /// The decision of a transaction with these effects.
  package var decision: Decision {
    dropped.isEmpty && identities.isEmpty
      ? .accepted : .merged(dropped: dropped, identities: identities)
  }

  /// Throws unless the user may write the objects that delete rules remove or change with these effects.
  ///
  /// - Parameters:
  ///   - removed: The objects that the rules remove.
  ///   - ended: The to-one relations that the rules end, by their object.
  ///   - rows: The rows before these effects, as far as they are loaded.
  ///   - rules: The rules of all entities.
  ///   - mayWrite: True if the user may write an object.
  /// - Returns: The rows to read first; unless it is empty, nothing was decided.
  /// - Throws: ``Rejection``, and errors of the source.
  package func checkDeleteRules(
    removing removed: [ObjectKey],
    ending ended: [ObjectKey: Set<PropertyUID>],
    over rows: some RowSource,
    rules: SyncRules,
    mayWrite: WriteTest
  ) throws -> Needs {
    var overlay = Overlay(rows, rules: rules, changed: self.rows)
    for key in (removed + ended.keys).sorted() {
      guard ProtocolRule.permission.holds, let row = try overlay.row(at: key) else { continue }
      var isPermitted = try overlay.permits(mayWrite, before: row, at: key)
      if isPermitted, let properties = ended[key] {
        var after = row
        for property in properties { after.values[property] = .null }
        isPermitted = try overlay.permits(mayWrite, after: after, at: key)
      }
      if !isPermitted, overlay.needs.isEmpty {
        throw Rejection(entity: key.entity, property: nil, reason: .permission)
      }
    }
    return overlay.needs
  }
}
