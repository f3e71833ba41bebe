internal import Foundation
package import ObjectBoxStorage

extension StorageEnvironment.CompactionSource {
  /// Writes the new file as a compact copy, with the owner and permission bits of the current file,
  /// checks all its pages, and waits for the disk; with a replacement, writes its files.
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
    if let replacement { return try write(replacement, progress) }
    var status = stat()
    guard stat(path, &status) == 0 else { throw StorageError(code: errno, call: "stat") }
    // Other names would still lead to the former file.
    guard status.st_nlink == 1 else { throw StorageError(code: EMLINK, call: "stat") }
    let pageCount = try pageCount
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
    guard let size = try writePages(to: descriptor, pageCount, { progress($0 / 2) }) else {
      return nil
    }
    try StorageEnvironment.synchronize(newPath)
    return try soundCopy(pageCount) { progress(0.5 + $0 / 2) } == nil ? nil : size
  }

  /// Writes a compact copy to the replacement's file in memory, checks all its pages, and has the
  /// replacement write it to the disk.
  private func write(
    _ replacement: any StorageMirrorReplacement,
    _ progress: (Double) -> Bool
  ) throws -> Int? {
    let pageCount = try pageCount
    try replacement.reserve(pageCount: pageCount)
    let descriptor = open(newPath, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw StorageError(code: errno, call: "open") }
    defer { _ = Foundation.close(descriptor) }
    guard let size = try writePages(to: descriptor, pageCount, { progress($0 / 4) }),
      let version = try soundCopy(pageCount, { progress(0.25 + $0 / 4) }),
      try replacement.write(version, { progress(0.5 + $0 / 2) })
    else { return nil }
    return size
  }

  /// The approximate number of pages of the new file.
  private var pageCount: Int {
    get throws {
      let known = try image.verify(head, .quick) { _ in true }
      return max(1, Int(head.lastPage) + 1 - known.freePages)
    }
  }

  /// Writes the compact copy; nil when `progress` ended it.
  private func writePages(
    to descriptor: Int32,
    _ pageCount: Int,
    _ progress: (Double) -> Bool
  ) throws -> Int? {
    try image.compact(
      head,
      to: descriptor,
      progress: { progress(min(1, Double($0) / Double(pageCount))) }
    )
  }

  /// Checks all pages of the compact copy, and returns its version; nil when `progress` ended it.
  private func soundCopy(
    _ pageCount: Int,
    _ progress: (Double) -> Bool
  ) throws -> PageVersion? {
    let copy = try StorageImage(path: newPath)
    replacement?.didMap()
    guard let made = copy.newestHead(), made.version == head.version else {
      throw StorageError.damaged(0)
    }
    var isEnded = false
    let finding = try copy.firstFinding(
      made,
      .all,
      progress: { pages in
        isEnded = !progress(min(1, Double(pages) / Double(pageCount)))
        return !isEnded
      }
    )
    if finding != nil { throw StorageError.damaged(0) }
    return isEnded ? nil : try copy.version(made)
  }
}
