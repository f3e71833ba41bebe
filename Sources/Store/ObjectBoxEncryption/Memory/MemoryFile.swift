#if OBJECTBOX_SODIUM
  internal import CObjectBoxEncryption
  internal import Foundation
  internal import ObjectBoxStorage
  internal import Synchronization

  /// A file in memory without a name, which LMDB opens by a link in a folder of this process.
  ///
  /// It is not in `/dev/shm`, whose size is limited in containers and whose files other processes
  /// can find.
  final class MemoryFile: Sendable {
    let descriptor: Int32
    /// The folder with the link; the opener of the file removes it.
    let folder: String
    /// The name under which the system lists maps of the file.
    private let name: String

    /// Makes an empty file, and the folder.
    ///
    /// - Throws: ``StorageError`` with the system's error number.
    init() throws(StorageError) {
      name = "objectbox-" + String(UInt32.random(in: 0...(.max)), radix: 16)
      descriptor = obx_memory_file(name)
      guard descriptor >= 0 else { throw StorageError(code: errno, call: "memfd_create") }
      var template = Array((NSTemporaryDirectory() + "/objectbox-XXXXXX").utf8CString)
      guard mkdtemp(&template) != nil else {
        let code = errno
        _ = Foundation.close(descriptor)
        throw StorageError(code: code, call: "mkdtemp")
      }
      folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let link = folder + "/" + StorageEnvironment.fileNames[0]
      guard symlink("/proc/self/fd/\(descriptor)", link) == 0 else {
        let code = errno
        rmdir(folder)
        _ = Foundation.close(descriptor)
        throw StorageError(code: code, call: "symlink")
      }
    }

    private let isClosed = Atomic<Bool>(false)

    /// Gives the memory back when no map is left; no other call may follow.
    func close() {
      if !isClosed.exchange(true, ordering: .relaxed) { _ = Foundation.close(descriptor) }
    }

    deinit { close() }

    /// Removes the folder if it still exists.
    func removeFolder() {
      for name in StorageEnvironment.fileNames { unlink(folder + "/" + name) }
      rmdir(folder)
    }

    /// Keeps all maps of the file out of core dumps.
    ///
    /// LMDB does not report the address of its map, so the system lists all maps.
    func excludeFromDumps() {
      guard let maps = FileHandle(forReadingAtPath: "/proc/self/maps") else { return }
      defer { try? maps.close() }
      let text = String(decoding: maps.readDataToEndOfFile(), as: UTF8.self)
      for line in text.split(separator: "\n") where line.contains("/memfd:" + name) {
        let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap {
          UInt64($0, radix: 16)
        }
        if ends.count == 2 { _ = obx_exclude_from_dumps(ends[0], ends[1] - ends[0]) }
      }
    }
  }
#endif
