internal import Foundation

/// The checks of the entries in the places of a store's files.
extension StoreDirectory {
  /// The names of LMDB's files.
  private static let names = ["data.mdb", "lock.mdb"]

  /// Throws `illegalArgument` for a path that the system would cut.
  func checkPath() throws {
    guard location.utf8.contains(0) else { return }
    throw ObjectBoxError.illegalArgument(
      message:
        "the path of a store has a character with the number 0, where the system would cut it; correct it"
    )
  }

  /// Checks that the store's files are files of its folder, where they are there.
  ///
  /// LMDB would wait for the other end of a pipe, and write its locks over the file that a link leads to. Two folders
  /// with one data file would have two files of locks, so that no process would know the readers of the other folder.
  ///
  /// - Throws: ``ObjectBoxError/storageGeneral(message:)``.
  func checkFiles() throws {
    guard !isInMemory else { return }
    try checkPath()
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
