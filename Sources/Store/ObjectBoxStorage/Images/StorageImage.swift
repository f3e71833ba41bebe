internal import CObjectBoxLMDB
package import CObjectBoxPages
internal import Foundation

/// The bytes of a store file, mapped for reading without LMDB; any file can be opened, even a
/// damaged one.
///
/// While other processes write to the file, only a version that a read transaction pins stays unchanged. The
/// file must not be truncated.
///
/// Invariant of `@unchecked Sendable`: nothing is set after `init`, and nothing writes through the
/// address.
package final class StorageImage: @unchecked Sendable {
  /// The bytes, for functions in C; valid as long as the object.
  package let image: obx_image
  /// Nil for an empty file.
  let map: FileMap?

  /// Maps a file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - hasRoom: Whether the file may grow in the map, so that an environment can use it further.
  /// - Throws: ``StorageError`` with the system's error number when it cannot be opened or mapped.
  package convenience init(path: String, hasRoom: Bool = false) throws(StorageError) {
    // Does not wait for a pipe, which cannot be mapped.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw StorageError(code: errno, call: "open") }
    self.init(try FileMap(taking: descriptor, hasRoom: hasRoom))
  }

  /// Maps an open file, whose descriptor the caller closes.
  convenience init(descriptor: Int32) throws(StorageError) {
    self.init(try FileMap(taking: FileMap.duplicate(descriptor), hasRoom: false))
  }

  private init(_ map: FileMap?) {
    self.map = map
    image =
      map.map { map in
        obx_image(base: map.base.assumingMemoryBound(to: UInt8.self), size: UInt64(map.fileSize))
      } ?? obx_image()
  }

  /// The size of the file in bytes.
  package var sizeInBytes: Int { Int(image.size) }

  /// Passes the bytes of the file to a body.
  package func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
    try body(UnsafeRawBufferPointer(start: image.base, count: Int(image.size)))
  }

  // MARK: Heads

  /// A head page: a version, and the roots of its tables.
  package struct Head: Sendable {
    /// The offset of the version in a head page.
    static let versionOffset = 144

    /// The values of the page, for functions in C.
    package let head: obx_head
    /// 0 or 1.
    package var number: Int { Int(head.number) }
    /// The number of the commit that wrote it; 0 in a new file.
    package var version: UInt64 { head.transaction }
    /// The number of the last page that the version may use; unused pages may lie after the end of
    /// the file.
    package var lastPage: UInt64 { head.last_page }
    package var pageSizeInBytes: Int { Int(head.page_size) }
  }

  /// The state of a head page.
  package enum HeadState: Sendable {
    case sound(Head)
    /// The file ends before the page.
    case missing
    /// All bytes are zero.
    case empty
    /// The bytes are not a head page.
    case foreign
    /// A head page of another data version of LMDB.
    case otherVersion
    /// A head page with impossible values.
    case damaged

    /// The head page, when it is sound.
    package var head: Head? { if case .sound(let head) = self { head } else { nil } }
  }

  /// Returns the current states of both head pages.
  package func heads() -> [HeadState] {
    let first = head(0, pageSize: 0)
    return [first, head(1, pageSize: first.head?.head.page_size ?? 0)]
  }

  /// Returns the head page of the newest version; nil when neither is sound.
  package func newestHead() -> Head? { heads().compactMap(\.head).max { $0.version < $1.version } }

  /// Returns whether the map shows the file's current state: a fault in a version that is not
  /// current may be another process's commit, not damage.
  ///
  /// A commit before the head pages were read leads to pages after the end of the map; a commit
  /// after that may reuse pages of the version.
  ///
  /// - Parameters:
  ///   - head: The head page of the version; nil when neither was sound.
  ///   - path: The path of the file.
  /// - Returns: True when the path leads to this file, the file has the mapped size, and the
  ///   version is the newest.
  /// - Throws: ``StorageError`` with the system's error number when the file does not exist.
  package func isCurrent(_ head: Head?, at path: String) throws(StorageError) -> Bool {
    let now = try FileIdentity(path: path)
    guard now.sizeInBytes == sizeInBytes else { return false }
    if let map { guard try now == FileIdentity(map.descriptor) else { return false } }
    return newestHead()?.version == head?.version
  }

  private func head(_ number: UInt64, pageSize: UInt32) -> HeadState {
    var (image, head) = (image, obx_head())
    return switch obx_head_read(&image, number, pageSize, &head) {
    case OBX_HEAD_OK: .sound(Head(head: head))
    case OBX_HEAD_MISSING: .missing
    case OBX_HEAD_EMPTY: .empty
    case OBX_HEAD_OTHER_VERSION: .otherVersion
    case OBX_HEAD_DAMAGED: .damaged
    default: .foreign
    }
  }

  // MARK: Reading

  /// Begins to read the version of a head page; the transaction retains the image.
  ///
  /// - Throws: ``StorageError`` with `isCorrupt` when the file ends before its first page or the
  ///   main table is damaged, and for pages of a form that the page reader does not know.
  package func beginRead(_ head: Head) throws(StorageError) -> StorageTransaction {
    StorageTransaction(image: try version(head))
  }

  /// Opens the pages and the main table of a version; throws as `beginRead` does.
  package func version(_ head: Head) throws(StorageError) -> PageVersion {
    var (image, raw, pages) = (image, head.head, obx_pages())
    let status = obx_head_open(&image, &raw, &pages)
    try checkPages(status, page: UInt64(head.number))
    return try PageVersion(raw, pages, in: self)
  }
}

extension StorageImage {
  /// Returns the names of all tables of a version, in order.
  ///
  /// - Throws: ``StorageError`` with `isCorrupt` when the main table is damaged.
  package func tableNames(_ head: Head) throws(StorageError) -> [String] {
    var names: [String] = []
    try version(head).forEachTable { name, _ in names.append(String(decoding: name, as: UTF8.self))
    }
    return names
  }
}

extension StorageError {
  /// The error for pages of a form that the page reader does not know.
  package static var unknownForm: StorageError {
    StorageError(code: MDB_VERSION_MISMATCH, call: "reading pages of an unknown form")
  }

  /// The error for a file without a page that indicates a page size.
  package static var noPages: StorageError {
    StorageError(code: MDB_INVALID, call: "looking for pages")
  }
}
