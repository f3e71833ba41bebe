internal import Foundation

/// The two head pages (LMDB: meta pages), which contain the roots of the newest two versions.
///
/// Commits write them alternately, so one stays whole if the other is torn. LMDB refuses a file
/// with a damaged head page.
package enum HeadPages {
  /// Overwrites a head page with the other one, and waits for the disk.
  ///
  /// The file then opens at the other one's version.
  ///
  /// The caller makes sure that the file is not open elsewhere.
  ///
  /// - Parameters:
  ///   - number: The head page to write, 0 or 1.
  ///   - head: The other head page.
  ///   - path: LMDB's data file.
  /// - Throws: The system's error when the file cannot be read or written.
  package static func replace(_ number: Int, by head: StorageImage.Head, path: String) throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    defer { try? handle.close() }
    let size = head.pageSizeInBytes
    try handle.seek(toOffset: UInt64(head.number * size))
    var page = [UInt8](try handle.read(upToCount: size) ?? Data())
    page.withUnsafeMutableBytes { $0.storeBytes(of: UInt64(number), as: UInt64.self) }
    try handle.seek(toOffset: UInt64(number * size))
    try handle.write(contentsOf: page)
    try handle.synchronize()
  }
}
