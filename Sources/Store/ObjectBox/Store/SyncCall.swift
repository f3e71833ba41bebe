internal import CObjectBoxHooks

/// A call of the core that `ObjectBoxSync` answers, if the program links it.
///
/// A class, because a reference is passed through a C function.
package final class SyncCall {
  /// The kind of call.
  package enum Kind {
    /// A new client; the value is a `Sync.Configuration`, which this folder does not know.
    case makeClient(Any)
    /// The client of a store.
    case findClient(Store)
    /// None: a store with synchronized entities was opened, and the program has not written yet.
    case storeDidOpen(Store)
  }

  /// The kind of call.
  package let kind: Kind
  /// The client, a `SyncClient`; nil if the store has none.
  package var result: Result<AnyObject?, any Error> = .success(nil)

  private init(_ kind: Kind) { self.kind = kind }

  /// True if the program links `ObjectBoxSync`.
  static var isPossible: Bool { obx_sync() != nil }

  /// Returns the answer to a call.
  ///
  /// - Throws: ``notAvailable`` in programs without `ObjectBoxSync`, and its errors.
  static func answer(to kind: Kind) throws -> AnyObject? {
    guard let answer = obx_sync() else { throw notAvailable }
    let call = SyncCall(kind)
    // The C function does not keep the reference.
    withExtendedLifetime(call) { answer(Unmanaged.passUnretained(call).toOpaque()) }
    return try call.result.get()
  }

  /// Lets `ObjectBoxSync` continue to queue the changes of a store that was synchronized before.
  ///
  /// - Parameter store: The open store.
  /// - Throws: ``ObjectBoxError`` when the state of synchronization is damaged or the store is full.
  static func tellOpening(of store: Store) throws {
    let entities = store.file.schema.entities
    guard isPossible, !store.file.isReadOnly,
      entities.contains(where: { $0.flags & EntityFlags.syncEnabled.rawValue != 0 })
    else { return }
    _ = try answer(to: .storeDidOpen(store))
  }

  /// The error of programs without `ObjectBoxSync`.
  static var notAvailable: ObjectBoxError {
    .sync(
      message:
        "cannot synchronise: the program lacks the module 'ObjectBoxSync', which has the clients; add its product to "
        + "the target's dependencies, or ask Sync.isAvailable() first"
    )
  }
}
