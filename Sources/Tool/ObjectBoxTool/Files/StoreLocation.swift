internal import Foundation
package import ObjectBox
internal import ObjectBoxCommandLine
package import ObjectBoxEncryption

/// The location of a store, as named on a command line.
package struct StoreLocation {
  private static let dataFile = "data.mdb"

  /// The default limit of a file that the tool writes, which only reserves addresses.
  private static let maximumSizeInKilobytes: UInt64 = 256 << 20
  /// How much a file that is read may grow beyond twice the size that it had before.
  private static let growthInKilobytes: UInt64 = 1 << 20

  /// The directory of the store.
  package let directory: String
  /// The size of the data file in bytes, or of all files of an encrypted store; nil without a store.
  package let fileSize: Int?
  /// True when the directory has an encrypted store.
  package let isEncrypted: Bool
  /// The key by which the store is opened or made; nil for a store that is not encrypted.
  package var encryption: StoreEncryption?

  /// Locates a store.
  ///
  /// - Parameter path: A directory, or the data file or the head of an encrypted store in it.
  /// - Throws: ``Failure`` for a file of another name.
  package init(_ path: String) throws {
    var status = stat()
    let exists = stat(path, &status) == 0
    let isFolder = exists && status.st_mode & S_IFMT == S_IFDIR
    let url = URL(fileURLWithPath: path)
    let folder: String
    if [Self.dataFile, StoreDirectory.sealedHead].contains(url.lastPathComponent), !isFolder {
      folder = url.deletingLastPathComponent().relativePath
    } else if exists, !isFolder {
      throw Failure(
        "'\(path)' is a file; pass the directory of a store, or the \(Self.dataFile) in it"
      )
    } else {
      folder = path
    }
    func has(_ name: String) -> Bool { stat(folder + "/" + name, &status) == 0 }
    let isEncrypted = !has(Self.dataFile) && has(StoreDirectory.sealedHead)
    directory = folder
    self.isEncrypted = isEncrypted
    fileSize = Self.size(ofStoreWith: folder + "/" + Self.fileName(isEncrypted: isEncrypted))
  }

  private static func fileName(isEncrypted: Bool) -> String {
    isEncrypted ? StoreDirectory.sealedHead : dataFile
  }

  /// Returns the size of a store.
  ///
  /// - Parameter file: The data file, or the head of an encrypted store.
  /// - Returns: The size of the data file in bytes, or of all files of an encrypted store; nil
  ///   without the file.
  static func size(ofStoreWith file: String) -> Int? {
    var status = stat()
    guard stat(file, &status) == 0 else { return nil }
    let url = URL(fileURLWithPath: file)
    guard url.lastPathComponent == StoreDirectory.sealedHead else { return Int(status.st_size) }
    let folder = url.deletingLastPathComponent().path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.reduce(0) { size, name in
      guard name.hasPrefix(StoreDirectory.sealedPrefix),
        stat(folder + "/" + name, &status) == 0
      else { return size }
      return size + Int(status.st_size)
    }
  }

  /// Locates the store named by the first operand, with the key that the command line or the user
  /// names.
  ///
  /// - Parameter arguments: The command line.
  /// - Returns: The store's location.
  /// - Throws: ``Failure`` when there is no data file, it cannot be read, or the key is missing.
  static func existing(_ arguments: CommandArguments) throws -> Self {
    var location = try Self(arguments.operands[0])
    try location.checkExists()
    location.encryption = try StoreKey.of(location, arguments)
    return location
  }

  /// The permission bits of the data file; read and write for the owner if there is none.
  var fileMode: UInt32 {
    var status = stat()
    return stat(file, &status) == 0 ? UInt32(status.st_mode) & 0o777 : 0o600
  }

  /// The path of the data file, or of the head of an encrypted store.
  package var file: String { directory + "/" + Self.fileName(isEncrypted: isEncrypted) }

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
    configuration.fileMode = fileMode
    return try Store(existing: configuration)
  }

  /// Whether other processes may have the store open meanwhile; an encrypted store is in the memory
  /// of one process.
  var isShared: Bool { encryption == nil }

  /// Opens the store for writing, while other processes share it if it is not encrypted.
  ///
  /// Its file may grow to the default limit of the tool.
  ///
  /// - Returns: The store, with the schema from its file.
  /// - Throws: ``Failure`` when there is none; ``ObjectBoxError`` when a process has it open
  ///   exclusively, or it cannot be read.
  package func openToShare() throws -> Store {
    try checkExists()
    var configuration = configuration(maximumSizeInKilobytes: nil)
    configuration.isSharedWithOtherProcesses = isShared
    configuration.fileMode = fileMode
    return try Store(existing: configuration)
  }

  /// Throws ``Failure`` for a folder with other files, which cleaning up a failed load would
  /// remove.
  func checkIsFree() throws {
    // If the folder cannot be listed, opening the store fails and says why.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    // A removed store may have left its lock file behind.
    guard names.contains(where: { !["lock.mdb", "sealed.lock"].contains($0) }) else { return }
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
    configuration.encryption = encryption
    return configuration
  }
}
