/// Makes a variable or parameter that names something stored usable in all isolations.
///
/// Each read shows the last commit, through a frozen handle; nil once the object is gone. It keeps no
/// version alive. The projected value, `$person`, can be captured, and passed to the functions of a
/// transaction:
///
///     func rename(@ThreadSafe _ person: FrozenObject<Person>?) {
///       Task { [$person] in
///         try await store.write { transaction in
///           try transaction.modify($person) { $0.name = "Jane" }
///         }
///       }
///     }
///
/// A class, since all its copies name the same.
@propertyWrapper
public final class ThreadSafe<M: FrozenHandle>: Sendable {
  private enum Content: Sendable {
    case none
    case identity(ManagedIdentity)
    /// What cannot be named, and why.
    case refused(ObjectBoxError)
  }

  private let content: Guarded<Content>

  /// Names what a frozen handle shows; nil names nothing.
  public init(wrappedValue: M?) {
    content = Guarded(Self.content(wrappedValue))
  }

  /// Names what another one names, now and after it was assigned.
  public init(projectedValue: ThreadSafe<M>) {
    content = projectedValue.content
  }

  /// Names what a handle shows, for which it must be used in the isolation that it belongs to.
  public init<H: Managed>(_ handle: H) where H.Frozen == M {
    content = Guarded(Self.content(handle))
  }

  /// Names a stored object of which there is an instance.
  ///
  /// When that was never stored, reads are nil, and transactions throw
  /// ``ObjectBoxError/unmanagedObject(message:)``.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - entity: An instance; only its ID counts.
  public init<E>(_ store: Store, _ entity: E)
  where
    E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType,
    M == FrozenObject<E>
  {
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

  /// What is named, as the last commit has it; nil when it is gone, and when the store is closed.
  public var wrappedValue: M? {
    guard let identity = try? identity() else { return nil }
    return try? M.__frozen(identity, in: try identity.store.freeze(at: nil))
  }

  /// The variable itself, for other isolations.
  public var projectedValue: ThreadSafe<M> { self }

  /// Names something else from now on.
  ///
  /// - Parameter handle: A frozen or live handle, of any store.
  /// - Throws: ``ObjectBoxError/invalidated(message:)`` when it shows nothing any more.
  public func assign<H: Managed>(_ handle: H) throws where H.Frozen == M {
    let new = Content.identity(try handle.__identity())
    content.withLock { $0 = new }
  }

  /// Names something else from now on, or nothing.
  ///
  /// - Parameter handle: A frozen handle, of any store; nil for nothing.
  public func assign(_ handle: M?) {
    let new = Self.content(handle)
    content.withLock { $0 = new }
  }

  /// What is named; nil for nothing.
  ///
  /// - Throws: ``ObjectBoxError/unmanagedObject(message:)`` for an instance that was never stored.
  func identity() throws -> ManagedIdentity? {
    switch content.withLock({ $0 }) {
    case .none: nil
    case .identity(let identity): identity
    case .refused(let error): throw error
    }
  }

  /// What is named; nil for nothing.
  ///
  /// - Throws: ``ObjectBoxError``: `unmanagedObject`, or `differentStore` when it is of another store.
  func identity(for store: Store) throws -> ManagedIdentity? {
    guard let identity = try identity() else { return nil }
    try store.checkSame(as: identity.store)
    return identity
  }
}
