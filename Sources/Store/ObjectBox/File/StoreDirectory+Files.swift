internal import Foundation

/// Checks of the directory entries under the names of a store's files.
extension StoreDirectory {
  /// The names of LMDB's files.
  private static let names = ["data.mdb", "lock.mdb"]

  /// Throws `illegalArgument` for a path that the system would truncate.
  func checkPath() throws {
    guard location.utf8.contains(0) else { return }
    throw ObjectBoxError.illegalArgument(
      message:
        "the path of a store has a character with the number 0, where the system would cut it; correct it"
    )
  }

  /// Checks that existing store files are regular files in this directory.
  ///
  /// With a pipe, LMDB would wait for the other end. With a link, it would write its locks over the
  /// target. Two directories that share a data file would have two lock files, and processes would
  /// not know each other's readers.
  ///
  /// - Throws: ``ObjectBoxError/storageGeneral(message:)``.
  func checkFiles() throws {
    guard !isInMemory else { return }
    try checkPath()
    try checkIsPlain()
    for name in Self.names {
      var status = stat()
      guard lstat(path + "/" + name, &status) == 0 else { continue }
      let kind = status.st_mode & S_IFMT
      if kind == S_IFREG { continue }
      let advice =
        kind == S_IFLNK
        ? "is a link; link the folder of the store instead, since both of its files belong together"
        : "is no file; remove it, or use another directory"
      throw ObjectBoxError.storageGeneral(
        message: "cannot open store at '\(location)': its '\(name)' \(advice)"
      )
    }
  }
}
