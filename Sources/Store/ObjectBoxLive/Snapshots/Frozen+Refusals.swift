public import ObjectBox

// Functions of live views on snapshots and frozen handles, so that code for both compiles. They
// throw instead of changing anything, and the compiler warns of them.

/// The error of a change of frozen data.
enum FrozenError {
  static func make(_ what: String) -> ObjectBoxError {
    .frozen(message: "\(what), since it is frozen; thaw it first")
  }
}

extension Snapshot {
  /// Throws `ObjectBoxError.frozen(message:)`: a snapshot never changes.
  @available(*, deprecated, message: "thaw first")
  public func write<R>(_ body: (WriteTransaction) throws -> R) throws -> R {
    throw FrozenError.make("a snapshot cannot be written to")
  }

  /// Throws `ObjectBoxError.frozen(message:)`: a snapshot never changes.
  @available(*, deprecated, message: "thaw first")
  public func beginWrite() throws -> WriteTransaction {
    throw FrozenError.make("a snapshot cannot be written to")
  }

  /// Throws `ObjectBoxError.frozen(message:)`: a snapshot never changes.
  @available(*, deprecated, message: "thaw first")
  public func observe(
    _ handler: @escaping (StoreNotification) -> Void
  ) throws -> NotificationToken {
    throw FrozenError.make("a snapshot has no changes to tell of")
  }

  /// False: a snapshot stays at its commit.
  public var autorefresh: Bool { false }

  /// Throws `ObjectBoxError.frozen(message:)` for true: a snapshot stays at its commit.
  @available(*, deprecated, message: "thaw first")
  public func setAutorefresh(_ isOn: Bool) throws {
    if isOn { throw FrozenError.make("a snapshot stays at its commit and cannot be refreshed") }
  }
}

extension FrozenObject {
  /// Throws `ObjectBoxError.frozen(message:)`: the object never changes.
  @available(*, deprecated, message: "thaw first")
  public func observe(
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping (ObjectChange) -> Void
  ) throws -> NotificationToken {
    throw FrozenError.make("an object of a snapshot has no changes to tell of")
  }
}

extension FrozenResults {
  /// Throws `ObjectBoxError.frozen(message:)`: the results never change.
  @available(*, deprecated, message: "thaw first")
  public func observe(
    properties: [any ObservedProperty<E>]? = nil,
    _ handler: @escaping (CollectionChange<FrozenResults<E>>) -> Void
  ) throws -> NotificationToken {
    throw FrozenError.make("results of a snapshot have no changes to tell of")
  }
}

extension WriteTransaction {
  /// Throws `ObjectBoxError.frozen(message:)`: the object never changes.
  @available(*, deprecated, message: "thaw first")
  public func modify<E, R>(
    _ object: FrozenObject<E>,
    _ change: (inout E) throws -> R
  ) throws -> R? {
    throw FrozenError.make("an object of a snapshot cannot be modified")
  }

  /// Throws `ObjectBoxError.frozen(message:)`: a snapshot keeps its objects.
  @available(*, deprecated, message: "thaw first, or pass its id")
  @discardableResult
  public func remove<E>(_ object: FrozenObject<E>) throws -> Bool {
    throw FrozenError.make("an object of a snapshot cannot be removed")
  }

  /// Throws `ObjectBoxError.frozen(message:)`: a snapshot keeps its objects.
  @available(*, deprecated, message: "thaw first, or pass the ids")
  @discardableResult
  public func remove<C: Collection, E>(_ objects: C) throws -> Int
  where C.Element == FrozenObject<E> {
    throw FrozenError.make("objects of a snapshot cannot be removed")
  }
}

extension ToMany {
  /// Throws `ObjectBoxError.frozen(message:)`: the object never changes.
  @available(*, deprecated, message: "thaw first")
  public func append(_ object: FrozenObject<S>) throws {
    throw FrozenError.make("an object of a snapshot cannot be added to a relation")
  }
}
