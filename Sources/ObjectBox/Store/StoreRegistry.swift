internal import ObjectBoxStorage

/// The stores that are open in this process, by the real path of their directory.
///
/// LMDB must not open one file twice in a process: closing the second would drop the locks of the
/// first. A class, since there is one for the process.
final class StoreRegistry: Sendable {
  static let shared = StoreRegistry()

  private enum Entry {
    /// Being opened, or being closed.
    case busy
    case open(StoreCore, owners: Int)
  }

  private let entries = Guarded<[String: Entry]>([:])

  /// Opens a store that nobody else has open.
  ///
  /// - Parameters:
  ///   - key: The real path of the directory.
  ///   - location: The directory as given, for the message.
  ///   - make: Opens the file.
  /// - Returns: The open store, with one owner.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when it is open already, and what `make` throws.
  func open(
    key: String,
    location: String,
    make: () throws -> StoreCore
  ) throws -> StoreCore {
    try entries.withLock { entries in
      guard entries[key] == nil else {
        throw ObjectBoxError.illegalState(
          message:
            "cannot open store at '\(location)': another store on this directory is still open "
            + "in this process; close it, or use Store.attachTo(directory:)"
        )
      }
      entries[key] = .busy
    }
    do {
      let core = try make()
      entries.withLock { $0[key] = .open(core, owners: 1) }
      return core
    } catch {
      entries.withLock { $0[key] = nil }
      throw error
    }
  }

  /// Adds an owner to an open store; nil when none is open.
  func attach(key: String) -> StoreCore? {
    entries.withLock { entries in
      guard case .open(let core, let owners)? = entries[key], !core.isClosed else { return nil }
      entries[key] = .open(core, owners: owners + 1)
      return core
    }
  }

  /// Takes an owner away; the last one closes the store.
  ///
  /// - Parameters:
  ///   - core: The store.
  ///   - isHome: Says whether the caller blocks the isolation that a block needs.
  func release(_ core: StoreCore, isHome: (ObjectIdentifier) -> Bool) {
    let isLast = entries.withLock { entries in
      guard case .open(let open, let owners)? = entries[core.registryKey], open === core else {
        return false
      }
      entries[core.registryKey] = owners == 1 ? .busy : .open(core, owners: owners - 1)
      return owners == 1
    }
    if isLast { core.close(isHome: isHome) }
  }

  /// Admits the next opener, once the file is closed.
  func forget(_ key: String) {
    entries.withLock { $0[key] = nil }
  }

  /// True while at least one store on the directory is open.
  func isOpen(key: String) -> Bool {
    entries.withLock { entries in
      if case .open? = entries[key] { true } else { false }
    }
  }
}
