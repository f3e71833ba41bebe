public import ObjectBox

/// A variable or parameter that refers to stored data and can be used in all isolations.
///
/// Each read returns a frozen handle at the newest commit; nil after the object was removed. The
/// variable keeps no version alive. Its projected value, `$person`, can be captured and passed to
/// functions of a transaction:
///
///     func rename(@ThreadSafe _ person: FrozenObject<Person>?) {
///       Task { [$person] in
///         try await store.write { transaction in
///           try transaction.modify($person) { $0.name = "Jane" }
///         }
///       }
///     }
///
/// A class, so that copies share the reference.
@propertyWrapper
public final class ThreadSafe<M: FrozenHandle>: Sendable {
  private enum Content: Sendable {
    case none
    case identity(ManagedIdentity)
    /// No data; holds the error of the handle or instance.
    case refused(ObjectBoxError)
  }

  private let content: Guarded<Content>

  /// Refers to the data of a frozen handle; nil for no data.
  public init(wrappedValue: M?) {
    content = Guarded(Self.content(wrappedValue))
  }

  /// Refers to the data of a live handle; nil for no data.
  ///
  /// Must be called in the handle's isolation.
  ///
  ///     @ThreadSafe var person: FrozenObject<Person>? = live
  ///
  /// An invalid handle gives no data: reads return nil, and transactions throw
  /// `ObjectBoxError.invalidated(message:)`.
  public init<H: Managed>(wrappedValue: H?) where H.Frozen == M {
    content = Guarded(Self.content(wrappedValue))
  }

  /// Shares the reference of another variable; an assignment to either changes both.
  public init(projectedValue: ThreadSafe<M>) {
    content = projectedValue.content
  }

  /// Refers to the data of a handle; must be called in the handle's isolation.
  public init<H: Managed>(_ handle: H) where H.Frozen == M {
    content = Guarded(Self.content(handle))
  }

  /// Refers to the stored object of an instance.
  ///
  /// For an instance that was never stored, reads return nil, and transactions throw
  /// `ObjectBoxError.unmanagedObject(message:)`.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - entity: An instance; only its ID counts.
  public init<E>(_ store: Store, _ entity: E)
  where M == FrozenObject<E> {
    let id = E.entityBinding.entityId(of: entity)
    content = Guarded(
      id == 0
        ? .refused(UnmanagedObject.error(E.self))
        : .identity(ManagedIdentity(store.forReading(), .object(id: id)))
    )
  }

  private static func content<H: Managed>(_ handle: H?) -> Content {
    guard let handle else { return .none }
    do {
      return .identity(try handle.__identity())
    } catch {
      return .refused(error as? ObjectBoxError ?? .unexpected(error: error))
    }
  }

  /// The handle at the newest commit; nil when the object is gone or the store is closed.
  public var wrappedValue: M? {
    guard let identity = try? identity() else { return nil }
    return try? M.__frozen(identity, in: try identity.store.freeze(at: nil))
  }

  /// The variable itself, for other isolations.
  public var projectedValue: ThreadSafe<M> { self }

  /// Makes the variable refer to the data of another handle.
  ///
  /// - Parameter handle: A frozen or live handle, of any store.
  /// - Throws: `ObjectBoxError.invalidated(message:)` when it is invalid.
  public func assign<H: Managed>(_ handle: H) throws where H.Frozen == M {
    let new = Content.identity(try handle.__identity())
    content.withLock { $0 = new }
  }

  /// Makes the variable refer to the data of a frozen handle of any store; nil for no data.
  public func assign(_ handle: M?) {
    let new = Self.content(handle)
    content.withLock { $0 = new }
  }

  /// Returns the identity of the data; nil for no data.
  ///
  /// - Throws: ``ObjectBoxError/unmanagedObject(message:)`` for an instance that was never stored.
  func identity() throws -> ManagedIdentity? {
    switch content.withLock({ $0 }) {
    case .none: nil
    case .identity(let identity): identity
    case .refused(let error): throw error
    }
  }

  /// Returns the identity of the data, which must belong to `store`; nil for no data.
  ///
  /// - Throws: ``ObjectBoxError``: `unmanagedObject`, `differentStore`.
  func identity(for store: Store) throws -> ManagedIdentity? {
    guard let identity = try identity() else { return nil }
    try store.checkSame(as: identity.store)
    return identity
  }
}
