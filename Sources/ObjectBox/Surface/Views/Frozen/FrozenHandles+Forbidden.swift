// What frozen handles have in common with live ones by shape only: it throws, and the compiler warns.

extension FrozenObject {
  /// Refuses: the object never changes.
  ///
  /// - Parameters:
  ///   - properties: Not looked at.
  ///   - handler: Not called.
  /// - Returns: Never.
  /// - Throws: ``ObjectBoxError/frozen(message:)``.
  @available(*, deprecated, message: "thaw first")
  public func observe(
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping (ObjectChange) -> Void
  ) throws -> NotificationToken {
    throw FrozenError.make("an object of a snapshot has no changes to tell of")
  }
}

extension FrozenResults {
  /// Refuses: the results never change.
  ///
  /// - Parameters:
  ///   - properties: Not looked at.
  ///   - handler: Not called.
  /// - Returns: Never.
  /// - Throws: ``ObjectBoxError/frozen(message:)``.
  @available(*, deprecated, message: "thaw first")
  public func observe(
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping (CollectionChange<FrozenResults<E>>) -> Void
  ) throws -> NotificationToken {
    throw FrozenError.make("results of a snapshot have no changes to tell of")
  }
}

extension WriteTransaction {
  /// Refuses: the object never changes.
  ///
  /// - Parameters:
  ///   - object: An object of a snapshot.
  ///   - change: Not called.
  /// - Returns: Never.
  /// - Throws: ``ObjectBoxError/frozen(message:)``.
  @available(*, deprecated, message: "thaw first")
  public func modify<E, R>(
    _ object: FrozenObject<E>,
    _ change: (inout E) throws -> R
  ) throws -> R? {
    throw FrozenError.make("an object of a snapshot cannot be modified")
  }
}
