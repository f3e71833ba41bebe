package import ObjectBox
import ObjectBoxProcessTestSupport
package import ObjectBoxTestSupport

/// A suite in which several processes use one store of rows.
package protocol SharedRows {
  var folder: TemporaryDirectory { get }
}

extension SharedRows {
  /// The directory of the store.
  package var path: String { folder.path + "/store" }

  /// Opens the store beside other processes.
  package func shared() throws -> Store {
    try Row.store(path) { $0.isSharedWithOtherProcesses = true }
  }
}
