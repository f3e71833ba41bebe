// What a snapshot has in common with live views by name only: it throws, and the compiler warns.

extension Snapshot {
  /// Refuses: a snapshot never changes.
  ///
  /// - Parameter body: Not called.
  /// - Returns: Never.
  /// - Throws: ``ObjectBoxError/frozen(message:)``.
  @available(*, deprecated, message: "thaw first")
  public func write<R>(_ body: (WriteTransaction) throws -> R) throws -> R {
    throw FrozenError.make("a snapshot cannot be written to")
  }

  /// Refuses with ``ObjectBoxError/frozen(message:)``: a snapshot never changes.
  @available(*, deprecated, message: "thaw first")
  public func beginWrite() throws -> WriteTransaction {
    throw FrozenError.make("a snapshot cannot be written to")
  }

  /// Refuses: a snapshot never changes.
  ///
  /// - Parameter handler: Not called.
  /// - Returns: Never.
  /// - Throws: ``ObjectBoxError/frozen(message:)``.
  @available(*, deprecated, message: "thaw first")
  public func observe(
    _ handler: @escaping (StoreNotification) -> Void
  ) throws -> NotificationToken {
    throw FrozenError.make("a snapshot has no changes to tell of")
  }

  /// False: a snapshot stays at its commit.
  public var autorefresh: Bool { false }

  /// Refuses true: a snapshot stays at its commit.
  ///
  /// - Parameter isOn: False, which changes nothing.
  /// - Throws: ``ObjectBoxError/frozen(message:)`` for true.
  @available(*, deprecated, message: "thaw first")
  public func setAutorefresh(_ isOn: Bool) throws {
    if isOn { throw FrozenError.make("a snapshot stays at its commit and cannot be refreshed") }
  }
}

/// What is thrown where something frozen was to change.
enum FrozenError {
  static func make(_ what: String) -> ObjectBoxError {
    .frozen(message: "\(what), since it is frozen; thaw it first")
  }
}
