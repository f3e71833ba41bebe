internal import Foundation
internal import ObjectBox

/// Opens a store that others open and remove all the time, uses it, and removes it.
package enum Renewal {
  /// Goes round once.
  ///
  /// - Parameter directory: The place of the store.
  /// - Returns: A loss of files or objects while the store was open; nil for none.
  /// - Throws: Any error but that others have the store open.
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
      // Another process was faster, and has it open.
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
