internal import Foundation
package import ObjectBoxStorage

extension StorageEnvironment.CompactionSource {
  /// Writes the new file as a compact copy, with the owner and permission bits of the current file,
  /// checks all its pages, and waits for the disk.
  ///
  /// - Parameters:
  ///   - admit: Gets the size of the new file and the free space of the disk, in bytes; throws to
  ///     end the compaction before anything is written.
  ///   - progress: Gets the finished part, from 0 to 1; false ends the compaction.
  /// - Returns: The size of the new file in bytes; nil when `progress` ended the compaction.
  /// - Throws: ``StorageError``: `hasSeveralNames`, `isCorrupt` for damaged pages, and the system's
  ///   error number; and the error of `admit`.
  /// - Complexity: O(size of the content), which is read, written and checked once.
  package func write(
    admit: (_ needed: Int, _ available: Int) throws -> Void,
    progress: (Double) -> Bool
  ) throws -> Int? {
    var status = stat()
    guard stat(path, &status) == 0 else { throw StorageError(code: errno, call: "stat") }
    // Other names would still lead to the former file.
    guard status.st_nlink == 1 else { throw StorageError(code: EMLINK, call: "stat") }
    let known = try image.verify(head, .quick) { _ in true }
    let pageCount = max(1, Int(head.lastPage) + 1 - known.freePages)
    let folder = StorageEnvironment.folder(of: newPath)
    try admit(
      pageCount * head.pageSizeInBytes,
      StorageEnvironment.availableDiskBytes(at: folder) ?? .max
    )
    let descriptor = open(newPath, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StorageError(code: errno, call: "open") }
    defer { _ = Foundation.close(descriptor) }
    if status.st_uid != geteuid() || status.st_gid != getegid() {
      guard fchown(descriptor, status.st_uid, status.st_gid) == 0 else {
        throw StorageError(code: errno, call: "fchown")
      }
    }
    guard fchmod(descriptor, status.st_mode & 0o7777) == 0 else {
      throw StorageError(code: errno, call: "fchmod")
    }
    let part = { (pages: Int) in min(1, Double(pages) / Double(pageCount)) }
    guard let size = try image.compact(head, to: descriptor, progress: { progress(part($0) / 2) })
    else { return nil }
    try StorageEnvironment.synchronize(newPath)
    return try isCopySound(progress: { progress(0.5 + part($0) / 2) }) ? size : nil
  }

  /// Checks all pages of the compact copy; false when `progress` ended it.
  private func isCopySound(progress: (Int) -> Bool) throws -> Bool {
    let copy = try StorageImage(path: newPath)
    guard let made = copy.newestHead(), made.version == head.version else {
      throw StorageError.damaged(0)
    }
    var isEnded = false
    let finding = try copy.firstFinding(
      made,
      .all,
      progress: { pages in
        isEnded = !progress(pages)
        return !isEnded
      }
    )
    if finding != nil { throw StorageError.damaged(0) }
    return !isEnded
  }
}
