// Stand-ins for functions of other modules, so that the compiler names the missing import.
//
// In a file that imports the module, its function wins: the compiler prefers available
// declarations. A type whose name states the import stands for types that the core lacks, because
// errors about results and handlers show it.
public import Foundation

/// A type of a module that the file does not import.
@available(*, unavailable)
public struct ImportObjectBoxLive: Sendable { private init() {} }

/// A type of a module that the file does not import.
@available(*, unavailable)
public struct ImportObjectBoxDynamic: Sendable { private init() {} }

/// A type of a module that the file does not import.
@available(*, unavailable)
public struct ImportObjectBoxCare: Sendable { private init() {} }

@available(*, unavailable, message: "it needs the product and 'import ObjectBoxLive'")
extension Store {
  /// Does not compile without `import ObjectBoxLive`.
  public func freeze() throws -> ImportObjectBoxLive { fatalError() }

  /// Does not compile without `import ObjectBoxLive`.
  public func live(on queue: SerialQueue? = nil) throws -> ImportObjectBoxLive { fatalError() }

  /// Does not compile without `import ObjectBoxLive`.
  public func observe(
    on isolation: Any? = nil,
    _ handler: @escaping (ImportObjectBoxLive) -> Void
  ) throws -> NotificationToken { fatalError() }

  /// Does not compile without `import ObjectBoxLive`.
  public func observe<E>(
    _ type: E.Type,
    id: some IdBase,
    on isolation: Any? = nil,
    properties: [Any]? = nil,
    _ handler: @escaping (ImportObjectBoxLive) -> Void
  ) throws -> NotificationToken { fatalError() }

  /// Does not compile without `import ObjectBoxLive`.
  public func changes<E>(
    _ query: Query<E>,
    properties: [Any]? = nil
  ) throws -> ImportObjectBoxLive { fatalError() }

  /// Does not compile without `import ObjectBoxLive`.
  public func commits(after version: Int? = nil) throws -> ImportObjectBoxLive { fatalError() }

  /// Does not compile without `import ObjectBoxLive`.
  @discardableResult
  public func writeAsync(
    on queue: SerialQueue? = nil,
    isGroupingAllowed: Bool = false,
    _ block: @escaping (WriteTransaction) throws -> Void,
    onComplete: (((any Error)?) -> Void)? = nil
  ) -> AsyncTransactionID { fatalError() }

  /// Does not compile without `import ObjectBoxLive`.
  @discardableResult
  public func beginAsyncWrite(
    on queue: SerialQueue? = nil,
    _ block: @escaping (WriteTransaction) throws -> Void
  ) -> AsyncTransactionID { fatalError() }

  /// Does not compile without `import ObjectBoxLive`.
  @discardableResult
  public func cancelAsyncWrite(_ id: AsyncTransactionID) -> Bool { fatalError() }

  /// Does not compile without `import ObjectBoxLive`.
  public func write<R>(
    passing handle: Any,
    _ block: (WriteTransaction, ImportObjectBoxLive?) throws -> R
  ) async throws -> R { fatalError() }
}

@available(*, unavailable, message: "it needs the product and 'import ObjectBoxLive'")
extension Query {
  /// Does not compile without `import ObjectBoxLive`.
  public func observe(
    on isolation: Any? = nil,
    properties: [Any]? = nil,
    _ handler: @escaping (ImportObjectBoxLive) -> Void
  ) throws -> NotificationToken { fatalError() }

  /// Does not compile without `import ObjectBoxLive`.
  public func changeSets(properties: [Any]? = nil) throws -> ImportObjectBoxLive { fatalError() }
}

@available(*, unavailable, message: "it needs the product and 'import ObjectBoxLive'")
extension Box {
  /// Does not compile without `import ObjectBoxLive`.
  public func observe(
    _ id: some IdBase,
    on isolation: Any? = nil,
    properties: [Any]? = nil,
    _ handler: @escaping (ImportObjectBoxLive) -> Void
  ) throws -> NotificationToken { fatalError() }

  /// Does not compile without `import ObjectBoxLive`.
  public func changes(
    of id: some IdBase,
    properties: [Any]? = nil
  ) throws -> ImportObjectBoxLive { fatalError() }
}

@available(*, unavailable, message: "it needs the product and 'import ObjectBoxLive'")
extension WriteTransaction {
  /// Does not compile without `import ObjectBoxLive`.
  @discardableResult
  public func commitAsyncWrite(
    isGroupingAllowed: Bool = false,
    onComplete: (((any Error)?) -> Void)? = nil
  ) throws -> AsyncTransactionID { fatalError() }
}

@available(*, unavailable, message: "it needs the product and 'import ObjectBoxDynamic'")
extension Store {
  /// Does not compile without `import ObjectBoxDynamic`.
  public func box(named name: String) throws -> ImportObjectBoxDynamic { fatalError() }

  /// Does not compile without `import ObjectBoxDynamic`.
  public convenience init(directoryPath: String, modelJSON: URL) throws { fatalError() }

  /// Does not compile without `import ObjectBoxDynamic`.
  public convenience init(configuration: Configuration, modelJSON: URL) throws { fatalError() }
}

@available(*, unavailable, message: "it needs the product and 'import ObjectBoxCare'")
extension Store {
  /// Does not compile without `import ObjectBoxCare`.
  public func verify(
    progress: (Double) -> Bool = { _ in true }
  ) throws -> ImportObjectBoxCare { fatalError() }

  /// Does not compile without `import ObjectBoxCare`.
  public static func verify(
    directory: String,
    progress: (Double) -> Bool = { _ in true }
  ) throws -> ImportObjectBoxCare { fatalError() }

  /// Does not compile without `import ObjectBoxCare`.
  @discardableResult
  public func backup(
    to directory: String,
    verifies: Bool = true,
    progress: (Double) -> Bool = { _ in true }
  ) throws -> UInt64? { fatalError() }

  /// Does not compile without `import ObjectBoxCare`.
  @discardableResult
  public static func backup(
    _ source: String,
    to directory: String,
    verifies: Bool = true,
    progress: (Double) -> Bool = { _ in true }
  ) throws -> UInt64? { fatalError() }

  /// Does not compile without `import ObjectBoxCare`.
  @discardableResult
  public static func backup(
    of source: Configuration,
    to directory: String,
    verifies: Bool = true,
    progress: (Double) -> Bool = { _ in true }
  ) throws -> UInt64? { fatalError() }

  /// Does not compile without `import ObjectBoxCare`.
  @discardableResult
  public func copy(
    to target: Configuration,
    verifies: Bool = true,
    progress: (Double) -> Bool = { _ in true }
  ) throws -> UInt64? { fatalError() }

  /// Does not compile without `import ObjectBoxCare`.
  @discardableResult
  public func compact(
    progress: (Double) -> Bool = { _ in true }
  ) throws -> CompactionReport? { fatalError() }

  /// Does not compile without `import ObjectBoxCare`.
  @discardableResult
  public static func salvage(
    directory: String,
    to target: String,
    progress: (Double) -> Bool = { _ in true }
  ) throws -> ImportObjectBoxCare { fatalError() }
}
