internal import Foundation
package import ObjectBox
internal import ObjectBoxCommandLine

/// The location of a store, as named on a command line.
package struct StoreLocation {
  private static let dataFile = "data.mdb"

  /// The default limit of a file that the tool writes, which only reserves addresses.
  private static let maximumSizeInKilobytes: UInt64 = 256 << 20
  /// How much a file that is read may grow beyond twice the size that it had before.
  private static let growthInKilobytes: UInt64 = 1 << 20

  /// The directory of the store.
  package let directory: String
  /// The size of the data file in bytes; nil without one.
  package let fileSize: Int?

  /// Locates a store.
  ///
  /// - Parameter path: A directory, or the data file in it.
  /// - Throws: ``Failure`` for a file of another name.
  package init(_ path: String) throws {
    var status = stat()
    let exists = stat(path, &status) == 0
    let isFolder = exists && status.st_mode & S_IFMT == S_IFDIR
    let url = URL(fileURLWithPath: path)
    if url.lastPathComponent == Self.dataFile, !isFolder {
      directory = url.deletingLastPathComponent().relativePath
    } else if exists, !isFolder {
      throw Failure(
        "'\(path)' is a file; pass the directory of a store, or the \(Self.dataFile) in it"
      )
    } else {
      directory = path
    }
    let file = directory + "/" + Self.dataFile
    fileSize = stat(file, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Locates the store named by the first operand.
  ///
  /// - Parameter arguments: The command line.
  /// - Returns: The store's location.
  /// - Throws: ``Failure`` when there is no data file, or it cannot be read.
  static func existing(_ arguments: CommandArguments) throws -> Self {
    let location = try Self(arguments.operands[0])
    try location.checkExists()
    return location
  }

  /// The permission bits of the data file; read and write for the owner if there is none.
  var fileMode: UInt32 {
    var status = stat()
    return stat(file, &status) == 0 ? UInt32(status.st_mode) & 0o777 : 0o600
  }

  /// The path of the data file.
  package var file: String { directory + "/" + Self.dataFile }

  /// Opens the store for reading, without changing its data file.
  ///
  /// - Returns: The store, with the schema from its file.
  /// - Throws: ``Failure`` when there is none; ``ObjectBoxError`` when it cannot be read.
  package func openToRead() throws -> Store {
    try checkExists()
    let size = UInt64(fileSize ?? 0) / 1024
    var configuration = configuration(
      maximumSizeInKilobytes: 2 * size + Self.growthInKilobytes
    )
    configuration.readOnly = true
    return try Store(existing: configuration)
  }

  /// Opens the store for writing while other processes share it.
  ///
  /// Its file may grow to the default limit of the tool.
  ///
  /// - Returns: The store, with the schema from its file.
  /// - Throws: ``Failure`` when there is none; ``ObjectBoxError`` when a process has it open
  ///   exclusively, or it cannot be read.
  package func openToShare() throws -> Store {
    try checkExists()
    var configuration = configuration(maximumSizeInKilobytes: nil)
    configuration.isSharedWithOtherProcesses = true
    return try Store(existing: configuration)
  }

  /// Throws ``Failure`` for a folder with other files, which cleaning up a failed load would
  /// remove.
  func checkIsFree() throws {
    // If the folder cannot be listed, opening the store fails and says why.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    // A removed store may have left its lock file behind.
    guard names.contains(where: { $0 != "lock.mdb" }) else { return }
    throw Failure(
      "'\(directory)' has no store and other files; make the store in a folder of its own"
    )
  }

  /// Throws ``Failure`` when the data file is missing or cannot be read.
  package func checkExists() throws {
    guard fileSize != nil else {
      var status = stat()
      guard stat(directory, &status) == 0 else {
        throw SystemFault("there is no store at '\(directory)'")
      }
      guard stat(file, &status) != 0, errno == ENOENT else {
        throw SystemFault("cannot read '\(file)'")
      }
      throw Failure("there is no store in '\(directory)': it has no \(Self.dataFile)")
    }
    guard access(file, R_OK) == 0 else { throw SystemFault("cannot read '\(file)'") }
  }

  /// Throws ``Failure`` if a path is the store's own data file.
  func checkIsNotOwn(_ path: String) throws {
    var own = stat()
    var other = stat()
    guard stat(file, &own) == 0, stat(path, &other) == 0 else { return }
    if own.st_dev == other.st_dev, own.st_ino == other.st_ino {
      throw Failure("'\(path)' is the store itself; write to another file")
    }
  }

  /// Returns the configuration for a store here.
  ///
  /// - Parameter size: The greatest size of the file in KiB; nil for 256 GiB.
  /// - Returns: The configuration.
  package func configuration(maximumSizeInKilobytes size: UInt64?) -> Store.Configuration {
    var configuration = Store.Configuration(directory: directory)
    configuration.maxDbSizeInKByte = size ?? Self.maximumSizeInKilobytes
    return configuration
  }
}
