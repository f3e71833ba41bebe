internal import Foundation

/// The open stores of this process, by the identity of their directories.
///
/// A process must not open a file twice with LMDB: closing the second environment would drop the
/// locks of the first.
///
/// Invariant of `@unchecked Sendable`: `entries` is touched only while `condition` is locked.
final class StoreRegistry: @unchecked Sendable {
  static let shared = StoreRegistry()

  private enum Entry {
    case opening
    /// The last owner is gone, and transactions or pinned versions still keep the file open.
    case closing
    case open(OpenStore, owners: Int)
    /// The files are being removed.
    case removing
  }

  // Signalled when an opening has ended.
  private let condition = NSCondition()
  private var entries: [String: Entry] = [:]

  /// Opens a store that is not open in the process, or shares an open one.
  ///
  /// - Parameters:
  ///   - key: The identity of the directory.
  ///   - configuration: The configuration of the store.
  ///   - schema: The model, which an open store must have too; nil for the schema of the file.
  ///   - make: Opens the file.
  /// - Returns: The open store, with one more owner.
  /// - Throws: ``ObjectBoxError``: `illegalState` when the store is open and must not be shared,
  ///   `mismatchedConfiguration` when it was opened with other options; and the errors of `make`.
  func open(
    key: String,
    configuration: Store.Configuration,
    schema: StoreSchema?,
    make: () throws -> OpenStore
  ) throws -> OpenStore {
    if let shared = try claim(key, configuration, schema) { return shared }
    do {
      let store = try make()
      setEntry(key, as: .open(store, owners: 1))
      return store
    } catch {
      setEntry(key, as: nil)
      throw error
    }
  }

  /// Returns an open store with one more owner; or reserves the key for the caller, which must open
  /// the file then.
  private func claim(
    _ key: String,
    _ configuration: Store.Configuration,
    _ schema: StoreSchema?
  ) throws -> OpenStore? {
    try condition.withLock {
      while waits(configuration, for: entries[key]) { condition.wait() }
      guard let entry = entries[key] else {
        entries[key] = .opening
        return nil
      }
      guard configuration.sharesOpenStore, case .open(let store, let owners) = entry else {
        throw Self.isOpen(configuration.directory, entry)
      }
      let difference =
        configuration.difference(from: store.configuration)
        ?? (schema.map { $0.takingVectorParameters(from: store.file.schema) == store.file.schema }
          ?? true ? nil : "another model")
      if let difference {
        throw ObjectBoxError.mismatchedConfiguration(
          message: "cannot share the open store at '\(configuration.directory)': it is to have "
            + "\(difference); open it alike everywhere, or close it first"
        )
      }
      entries[key] = .open(store, owners: owners + 1)
      return store
    }
  }

  /// Returns whether an opener must wait for another thread, which opens or removes the store.
  private func waits(_ configuration: Store.Configuration, for entry: Entry?) -> Bool {
    switch entry {
    case .opening: configuration.sharesOpenStore
    case .removing: true
    case .closing, .open, nil: false
    }
  }

  private func setEntry(_ key: String, as entry: Entry?) {
    condition.withLock {
      entries[key] = entry
      condition.broadcast()
    }
  }

  /// Adds an owner to an open store; nil if the store is not open.
  func attach(key: String) -> OpenStore? {
    condition.withLock {
      guard case .open(let store, let owners)? = entries[key], !store.transactions.isClosed else {
        return nil
      }
      entries[key] = .open(store, owners: owners + 1)
      return store
    }
  }

  /// Removes an owner; the last owner closes the store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - isHome: Returns whether the caller blocks an isolation.
  func release(_ store: OpenStore, isHome: (ObjectIdentifier) -> Bool) {
    let isLast = condition.withLock {
      guard case .open(let open, let owners)? = entries[store.registryKey], open === store else {
        return false
      }
      entries[store.registryKey] = owners == 1 ? .closing : .open(store, owners: owners - 1)
      return owners == 1
    }
    if isLast { store.close(isHome: isHome) }
  }

  /// Runs a body that removes the files of a store, which must not be open in the process.
  ///
  /// - Parameters:
  ///   - key: The identity of the directory.
  ///   - location: The directory as given by the user.
  ///   - body: Removes the files.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when the store is open, and the error of the body.
  func removing(_ key: String, _ location: String, _ body: () throws -> Void) throws {
    try condition.withLock {
      while case .removing? = entries[key] { condition.wait() }
      guard let entry = entries[key] else {
        entries[key] = .removing
        return
      }
      let user =
        if case .closing = entry {
          Self.isClosing
        } else {
          "another instance is still open; close it first"
        }
      throw ObjectBoxError.illegalState(
        message: "cannot remove the store at '\(location)': \(user)"
      )
    }
    defer { setEntry(key, as: nil) }
    try body()
  }

  /// Admits the next opener; the file is closed.
  func forget(_ key: String) { setEntry(key, as: nil) }

  /// True while at least one store on the directory is open.
  func isOpen(key: String) -> Bool {
    condition.withLock { if case .open? = entries[key] { true } else { false } }
  }

  private static let isClosing =
    "it is still being closed, or a transaction, a snapshot or a live view reads it; let that end first"

  private static func isOpen(_ location: String, _ entry: Entry) -> ObjectBoxError {
    let reason =
      if case .closing = entry {
        isClosing
      } else {
        "another store on this directory is still open in this process; close it, use "
          + "Store.attachTo(directory:), or set sharesOpenStore in the configuration of this one, "
          + "whose model and other options must be those of the open one"
      }
    return .illegalState(message: "cannot open store at '\(location)': \(reason)")
  }
}
