import ObjectBox
import ObjectBoxProcessTestSupport
import ObjectBoxTestSupport

/// A suite in which several processes use one store of rows.
protocol SharedRows {
  var folder: TemporaryDirectory { get }
}

extension SharedRows {
  /// The directory of the store.
  var path: String { folder.path + "/store" }

  /// Opens the store beside other processes.
  func shared() throws -> Store { try Row.store(path) { $0.isSharedWithOtherProcesses = true } }
}
