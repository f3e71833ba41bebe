extension Store {
  /// The version that boxes and queries of a store instance read.
  package enum Source: Sendable {
    /// The open transaction of the thread, or the newest commit if there is none.
    case thread
    /// A pinned version, on any thread; writes are refused.
    case version(PinnedRead)
    /// No version: reads and writes are refused.
    case nothing
    /// The instance serves objects in another place; reads and writes throw the errors of the
    /// place.
    case elsewhere(any ObjectLocation)
  }

  /// Runs a body in a transaction that it begins or joins, at the version of this instance.
  ///
  /// - Throws: Errors of the body, and ``ObjectBoxError``: `frozen` for a write at a version that never
  ///   changes, `invalidated` without a version, others as ``TransactionScheduler/begin(on:isWritable:)``.
  @inline(__always)
  package func inTransaction<T>(
    isWritable: Bool,
    _ body: (Transaction, StoreThreadState) throws -> T
  ) throws -> T {
    if case .thread = source {
      return try transactions.inTransaction(isWritable: isWritable, body)
    }
    if isWritable { throw writingError }
    return try readingSource { try transactions.inTransaction(isWritable: false, body) }
  }

  /// Runs a body that reads in transactions of the thread, at the version of this instance.
  func readingSource<T>(_ body: () throws -> T) throws -> T {
    switch source {
    case .thread: return try body()
    case .version(let pin): return try pin.reading(body)
    case .nothing:
      throw ObjectBoxError.invalidated(
        message:
          "an object of the store at '\(directoryPath)' has no version to read from: its snapshot or view "
          + "was invalidated; read it anew"
      )
    case .elsewhere(let place): throw place.readingError
    }
  }

  /// Throws ``ObjectBoxError/frozen(message:)`` if this instance reads a pinned version.
  func checkWritable() throws {
    if case .thread = source { return }
    throw writingError
  }

  /// True when this instance reads no version.
  var isDetached: Bool {
    if case .nothing = source { true } else { false }
  }

  private var writingError: ObjectBoxError {
    if case .elsewhere(let place) = source { return place.writingError }
    return .frozen(
      message:
        "an object that was read in a snapshot of the store at '\(directoryPath)' cannot write, since it "
        + "is frozen; read it in a box of the store, or thaw its handle first"
    )
  }
}

/// A place of objects outside of a store's file, such as a database server.
package protocol ObjectLocation: AnyObject, Sendable {
  /// The error of a synchronous read; its message says how to read there.
  var readingError: ObjectBoxError { get }

  /// The error of a synchronous write; its message says how to write there.
  var writingError: ObjectBoxError { get }
}
