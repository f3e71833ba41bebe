internal import Foundation
internal import ObjectBox
internal import ObjectBoxStorage

/// The directory of the new store; it has another name until everything is saved.
struct SalvageTarget {
  /// The suffix of that name.
  private static let temporaryEnd = ".salvage"
  private static let lockFile = "lock.mdb"

  private let path: String
  private let medium: (any StoreMedium)?
  private let temporary: StoreDirectory

  /// Checks that nothing has the final name, and removes the remains of an interrupted run.
  ///
  /// - Throws: ``ObjectBoxError``: `illegalArgument` when something has the name, `illegalState`
  ///   when another process salvages to it.
  init(_ target: Store.Configuration) throws {
    let directory = target.directory
    medium = target.medium
    var path = directory
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
    temporary = StoreDirectory(location: path + Self.temporaryEnd)
    guard !path.hasPrefix(StoreDirectory.inMemoryPrefix) else {
      throw ObjectBoxError.illegalArgument(message: "cannot salvage to '\(directory)': use a path")
    }
    var status = stat()
    if lstat(path, &status) == 0 {
      let names = try? FileManager.default.contentsOfDirectory(atPath: path)
      guard names?.isEmpty == true else {
        throw ObjectBoxError.illegalArgument(
          message:
            "cannot salvage to '\(directory)': there is something already; use another directory, or remove it"
        )
      }
    }
    guard lstat(temporary.path, &status) == 0 else { return }
    let left = try? FileManager.default.contentsOfDirectory(atPath: temporary.path)
    let isOurs = left?.allSatisfy { name in
      StorageEnvironment.fileNames.contains(name) || name.hasPrefix(StoreDirectory.sealedPrefix)
    }
    guard isOurs == true else {
      throw ObjectBoxError.illegalArgument(
        message:
          "cannot salvage to '\(directory)': '\(temporary.path)' is there, and is none that an interrupted run "
          + "left; remove it"
      )
    }
    try discard()
  }

  /// Creates the store.
  ///
  /// - Parameters:
  ///   - schema: Its schema.
  ///   - source: The directory of the damaged store, for its permission bits.
  ///   - size: The size of the damaged file in bytes.
  /// - Returns: The open store.
  /// - Throws: ``ObjectBoxError`` when it cannot be created.
  func makeStore(_ schema: StoreSchema, source: String, size: Int) throws -> Store {
    let names = [StorageEnvironment.fileNames[0], StoreDirectory.sealedHead]
    let mode = names.lazy.compactMap { name -> UInt32? in
      var status = stat()
      return stat(source + "/" + name, &status) == 0 ? UInt32(status.st_mode) & 0o777 : nil
    }.first
    var configuration = Store.Configuration(directory: temporary.path)
    configuration.medium = medium
    configuration.fileMode = mode ?? 0o600
    // Reserves addresses only. Half-full pages and new indexes may need more than the damaged file.
    configuration.maxDbSizeInKByte = (1 << 20) + UInt64(size) / 256
    return try Store(schema: schema.withPresentRules, configuration: configuration)
  }

  /// Gives the closed store its final name.
  func finish() throws {
    unlink(temporary.path + "/" + Self.lockFile)
    try temporary.move(to: path)
  }

  /// Removes the closed store.
  func discard() throws {
    if let medium {
      let opening = StoreOpening(
        path: temporary.path,
        location: path,
        isReadOnly: false,
        isCreating: false,
        fileMode: 0o600
      )
      return try medium.removing(opening) { try temporary.removeFiles(last: $0) }
    }
    try ProcessLocks.removing(temporary) { try temporary.removeFiles() }
    // Without a data file, nothing was created in it.
    unlink(temporary.path + "/" + Self.lockFile)
    rmdir(temporary.path)
  }
}
