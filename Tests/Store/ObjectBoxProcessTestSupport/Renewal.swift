internal import Foundation
internal import ObjectBox

/// Opens, uses and removes a store that other processes also open and remove.
package enum Renewal {
  /// Opens, uses and removes the store once.
  ///
  /// - Parameter directory: The directory of the store.
  /// - Returns: A loss of files or objects while the store was open; nil for none.
  /// - Throws: Any error, except that another process has the store open.
  package static func run(_ directory: String) throws -> String? {
    let store = try opening(directory)
    defer { store.close() }
    let rows = store.box(for: Row.self)
    try rows.put([Row(1), Row(2)])
    for name in ["data.mdb", "lock.mdb"]
    where !FileManager.default.fileExists(atPath: directory + "/" + name) {
      return "'\(name)' was removed from an open store"
    }
    let count = try rows.count()
    if count % 2 != 0 || count == 0 { return "\(count) rows" }
    do {
      try store.closeAndDeleteAllFiles()
    } catch ObjectBoxError.illegalState {
      // Another process has opened it first.
    }
    return nil
  }

  private static func opening(_ directory: String) throws -> Store {
    while true {
      do {
        return try Row.store(directory)
      } catch ObjectBoxError.illegalState {
        // Another process has it open.
      }
    }
  }
}
