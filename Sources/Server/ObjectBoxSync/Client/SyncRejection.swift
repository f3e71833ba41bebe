public import ObjectBox
internal import ObjectBoxSyncProtocol

/// A transaction of this device that the server has rejected completely or in part.
///
/// The store keeps it until the program discards it or submits it again; see
/// `SyncClient.rejections()`.
public struct SyncRejection: Sendable {
  /// The cause.
  public enum Reason: String, Hashable, Sendable {
    /// Another object has the unique value.
    case unique
    /// The user may not write the object.
    case permission
    /// The server does not synchronize the entity.
    case unknownEntity
    /// A counter was set, or another property was incremented.
    case counter
    /// The server's database cannot store a value.
    case value
    /// A delete rule forbids the removal, because of an object that stays.
    case restricted
    /// The transaction is so old that the server may have decided it, and has deleted that decision.
    ///
    /// If the server had accepted the transaction, its objects arrive like any other object. Transactions of a device
    /// whose clock is years behind are rejected as well. Submit it again if it is still wanted.
    case expired
    /// The server's function that resolves conflicts threw an error; see ``Part/message``.
    case resolution
    /// The object was removed before the change arrived.
    case removed
    /// Another object has the ID now.
    case otherObject
    /// A later write of the object has won.
    case older
    /// The target of a relation does not exist.
    case targetMissing
    /// The server's function has resolved a conflict, and gave the property another value.
    case resolved
  }

  /// A part that has no effect.
  public struct Part: Hashable, Sendable {
    /// The name of the entity; empty for one that this store's model lacks.
    public let entity: String
    /// The ID of the object; 0 for the whole transaction.
    public let id: Id
    /// The name of the property; nil for the whole object.
    public let property: String?
    /// The cause.
    public let reason: Reason
    /// The text of the error that the server's function threw, for ``Reason/resolution``, or of the database, for
    /// ``Reason/value``; nil if there is none.
    public let message: String?

    init(entity: String, id: Id, property: String?, _ reason: Reason, message: String? = nil) {
      self.entity = entity
      self.id = id
      self.property = property
      self.reason = reason
      self.message = message
    }
  }

  /// True if the whole transaction was rejected and undone; false if only ``parts`` have no effect.
  public let isWhole: Bool
  /// The writes without effect, with the reasons.
  public let parts: [Part]
  /// All writes of the transaction, so that a program can show what was rejected.
  public let writes: [Write]

  let told: SyncedStore.Rejected

  init(_ told: SyncedStore.Rejected, _ model: SyncedModel) throws {
    self.told = told
    writes = try told.told.transaction.operations.map { try Write($0, model) }
    switch told.told.decision {
    case .accepted:
      isWhole = false
      parts = []
    case .rejected(let rejection):
      isWhole = true
      parts = [
        Part(
          entity: model[rejection.entity]?.table.name ?? "",
          id: 0,
          property: rejection.property.flatMap { uid in
            model[rejection.entity]?.properties.first { $0.uid == uid }?.schema.name
          },
          Reason(rejection.reason),
          message: rejection.message
        )
      ]
    case .merged(let dropped, _):
      isWhole = false
      parts = dropped.map { operation in
        Part(
          entity: model[operation.key.entity]?.table.name ?? "",
          id: operation.key.id,
          property: model.propertyName(of: operation),
          Reason(operation.reason)
        )
      }
    }
  }
}

extension SyncedStore {
  /// Reports a rejection to the store's handler of unheard failures; ignores other decisions.
  func tellUnheard(_ decision: Decision) {
    guard case .rejected(let rejection) = decision else { return }
    let entity = capture.model[rejection.entity]
    let property = entity?.properties.first { $0.uid == rejection.property }?.schema.name
    let cause = [
      SyncRejection.Reason(rejection.reason).rawValue, property.map { "of '\($0)'" },
      rejection.message.map { "(\($0))" },
    ]
    store.openStore.failures.tell(
      .synchronization,
      of: entity?.table.name,
      ObjectBoxError.constraintViolated(
        message:
          "\(cause.compactMap(\.self).joined(separator: " ")); 'rejections()' of the client has the transaction until it is "
          + "discarded"
      )
    )
  }
}

extension SyncRejection.Reason {
  init(_ reason: Rejection.Reason) {
    self =
      switch reason {
      case .unique: .unique
      case .permission: .permission
      case .unknownEntity: .unknownEntity
      case .counter: .counter
      case .value: .value
      case .restricted: .restricted
      case .expired: .expired
      case .resolution: .resolution
      }
  }

  init(_ reason: DroppedOperation.Reason) {
    self =
      switch reason {
      case .deleted: .removed
      case .otherObject: .otherObject
      case .older: .older
      case .targetMissing: .targetMissing
      case .resolved: .resolved
      }
  }
}

extension SyncedModel {
  /// Returns the name of the property whose value was dropped; nil for the whole object.
  fileprivate func propertyName(of operation: DroppedOperation) -> String? {
    guard case .resolved(let uid) = operation.reason else { return nil }
    return self[operation.key.entity]?.properties.first { $0.uid == uid }?.schema.name
  }
}
