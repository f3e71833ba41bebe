// What frozen handles have in common with live ones by name only: it throws, and the compiler warns.

extension FrozenObject {
  /// Refuses: the object never changes.
  ///
  /// - Parameter handler: Not called.
  /// - Returns: Never.
  /// - Throws: ``ObjectBoxError/frozen(message:)``.
  @available(*, deprecated, message: "thaw first")
  public func observe(_ handler: @escaping (Any) -> Void) throws -> NotificationToken {
    throw FrozenError.make("an object of a snapshot has no changes to tell of")
  }
}

extension FrozenResults {
  /// Refuses: the results never change.
  ///
  /// - Parameter handler: Not called.
  /// - Returns: Never.
  /// - Throws: ``ObjectBoxError/frozen(message:)``.
  @available(*, deprecated, message: "thaw first")
  public func observe(_ handler: @escaping (Any) -> Void) throws -> NotificationToken {
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
