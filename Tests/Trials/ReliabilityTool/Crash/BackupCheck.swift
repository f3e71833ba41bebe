import Foundation

/// Checks the backups that workloads leave beside a store: a backup with its final name is
/// complete.
enum BackupCheck {
  private static let mark = "-backup-"

  /// Returns the folder of a worker's backup.
  static func path(of store: String, worker: Int) -> String { "\(store)\(mark)\(worker)" }

  /// Returns the first fault of the backups beside a store, and their number.
  static func fault(beside store: String) throws -> (fault: String?, count: Int) {
    let url = URL(fileURLWithPath: store)
    let folder = url.deletingLastPathComponent().path
    var count = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name.hasPrefix(url.lastPathComponent + mark) {
      let path = folder + "/" + name
      guard FileManager.default.fileExists(atPath: path + "/" + TrialStore.mainFile) else {
        continue
      }
      count += 1
      if let fault = try TrialStore.fault(path) {
        return ("the backup '\(name)': \(fault)", count)
      }
    }
    return (nil, count)
  }
}
