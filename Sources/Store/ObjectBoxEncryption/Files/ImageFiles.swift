#if OBJECTBOX_SODIUM
  internal import CObjectBoxEncryption
  internal import Foundation
  internal import ObjectBox
  internal import ObjectBoxStorage

  /// The directory of an encrypted store, and the lock that keeps other processes out.
  final class ImageFiles: Sendable {
    static let head = StoreDirectory.sealedHead
    static let newHead = "sealed.head.new"
    static let lock = "sealed.lock"
    private static let pagesPrefix = "sealed.pages-"
    private static let newSuffix = ".new"

    let path: String
    private let fileMode: UInt32
    private let isReadOnly: Bool
    /// Nil in a folder that cannot be written and has no lock file.
    private let lock: FileLock?
    /// The system's sync of a file; 0 or an error number.
    ///
    /// Tests replace it to simulate disks that fail.
    @TaskLocal static var synchronize: @Sendable (Int32) -> Int32 = { descriptor in
      fdatasync(descriptor) == 0 ? 0 : errno
    }

    /// The system's reservation of room on a disk; 0 or an error number.
    ///
    /// Tests replace it to simulate full disks.
    @TaskLocal static var takeRoom: @Sendable (Int32, Int64, Int64) -> Int32 = obx_reserve

    /// Called after each write to a pages file, with its offset and number of bytes.
    ///
    /// Tests replace it to simulate disks that forget.
    @TaskLocal static var didWrite: @Sendable (Int, Int) -> Void = { _, _ in }

    /// Takes the lock of a directory; nil when another process has it.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - fileMode: The permission bits of new files.
    ///   - isReadOnly: True if nothing is written. In a directory that cannot be written, the lock is then
    ///     shared with other such openings, and a missing lock file means that there is no writer.
    /// - Throws: ``StorageError`` with the system's error number.
    init?(path: String, fileMode: UInt32, isReadOnly: Bool) throws(StorageError) {
      self.path = path
      self.fileMode = fileMode
      self.isReadOnly = isReadOnly
      let name = path + "/" + Self.lock
      while true {
        var isShared = false
        var file = FileLock(path: name, mode: fileMode, isReadOnly: false)
        if file == nil, isReadOnly, [EROFS, EACCES, EPERM].contains(errno) {
          isShared = true
          file = FileLock(path: name, mode: fileMode, isReadOnly: true)
          if file == nil, errno == ENOENT {
            lock = nil
            return
          }
        }
        guard let lock = file else { throw StorageError(code: errno, call: "open") }
        guard try lock.lock(0, isExclusive: !isShared) else { return nil }
        // The removal of a store removes the locked file last.
        guard lock.isFile(at: name) else { continue }
        self.lock = lock
        return
      }
    }

    /// Gives the lock back; nothing else may be called after it.
    func close() { lock?.close() }

    deinit { close() }

    func exists(_ name: String) -> Bool {
      var status = stat()
      return lstat(path + "/" + name, &status) == 0
    }

    // MARK: Pages

    static func pagesName(_ pagesID: UInt64) -> String {
      let digits = String(pagesID, radix: 16)
      return pagesPrefix + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Makes the pages file of a new image; `nameNewPages` gives it its name.
    func makePages(_ pagesID: UInt64, begin: [UInt8]) throws(StorageError) -> PagesFile {
      let name = path + "/" + Self.pagesName(pagesID) + Self.newSuffix
      let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
      let pages = try PagesFile(open(name, flags, mode_t(fileMode)))
      try begin.withUnsafeBytes { bytes in
        Result { () throws(StorageError) in try pages.put(bytes, at: 0) }
      }.get()
      try pages.sync()
      return pages
    }

    /// Gives a new pages file its name, before the head is written.
    func nameNewPages(_ pagesID: UInt64) throws(StorageError) {
      let name = path + "/" + Self.pagesName(pagesID)
      guard rename(name + Self.newSuffix, name) == 0 else {
        throw StorageError(code: errno, call: "rename")
      }
      try StorageEnvironment.synchronize(path)
    }

    /// Opens the pages file that a head names.
    func openPages(_ pagesID: UInt64) throws(StorageError) -> PagesFile {
      let name = path + "/" + Self.pagesName(pagesID)
      let access = isReadOnly ? O_RDONLY : O_RDWR
      return try PagesFile(open(name, access | O_CLOEXEC | O_NOFOLLOW))
    }

    /// The names of all pages files, including unfinished ones.
    var pagesNames: [String] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      return names.filter { $0.hasPrefix(Self.pagesPrefix) }
    }

    /// The names of the pages files that were on the disk before a head could name them.
    var finishedPagesNames: [String] { pagesNames.filter { !$0.hasSuffix(Self.newSuffix) } }

    /// Returns the version that the first record in the log of a pages file states; nil for an empty log.
    func firstVersion(ofLogIn name: String) throws(StorageError) -> UInt64? {
      let file = try PagesFile(open(path + "/" + name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW))
      var begin = [UInt8](repeating: 0, count: LogRecord.blockSize)
      let count = begin.withUnsafeMutableBytes { file.get($0, at: LogRecord.blockSize) }
      guard count >= 0 else { throw StorageError(code: errno, call: "pread") }
      return LogRecord.statedVersion(ofBegin: begin)
    }

    /// Returns the bytes of a file of the directory.
    func read(_ name: String) throws(StorageError) -> [UInt8] {
      try Self.read(path + "/" + name)
    }

    /// Returns the bytes of a file.
    static func read(_ path: String) throws(StorageError) -> [UInt8] {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { throw StorageError(code: errno, call: "open") }
      defer { _ = Foundation.close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw StorageError(code: errno, call: "fstat") }
      var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
      let got = bytes.withUnsafeMutableBytes { PagesFile.get($0, from: descriptor, at: 0) }
      guard got >= 0 else { throw StorageError(code: errno, call: "pread") }
      return Array(bytes.prefix(got))
    }

    /// Returns true if a file has a nonzero byte after an offset.
    ///
    /// Reads up to the first such byte.
    func hasContent(_ name: String, after begin: Int) throws(StorageError) -> Bool {
      let file = try PagesFile(open(path + "/" + name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW))
      let part = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
      defer { part.deallocate() }
      var place = begin
      while true {
        let count = file.get(part, at: place)
        guard count >= 0 else { throw StorageError(code: errno, call: "pread") }
        if count == 0 { return false }
        if part[..<count].contains(where: { $0 != 0 }) { return true }
        place += count
      }
    }

    // MARK: Head

    /// Takes room on the disk for the next head.
    func reserveHead(size: Int) throws(StorageError) {
      try withNewHead(truncates: false) { (file) throws(StorageError) in
        try PagesFile.reserve(file, offset: 0, size: size)
      }
    }

    /// Writes the next head, in both copies, to a file next to the present one, and waits for the disk.
    ///
    /// - Throws: ``StorageError``; the present head stays.
    func writeNewHead(
      of state: ImageState,
      _ wrapped: WrappedKey,
      _ keys: StoreKeys,
      seed: Bytes16
    ) throws(StorageError) {
      let copy = SealedHead.copy(of: state, wrapped, keys, seed: seed)
      try withNewHead(truncates: true, size: 2 * copy.count) { (file) throws(StorageError) in
        try copy.withUnsafeBytes { bytes in
          Result { () throws(StorageError) in
            for number in 0..<2 {
              try StorageEnvironment.write(bytes, to: file, at: number * copy.count)
            }
          }
        }.get()
        let code = Self.synchronize(file)
        if code != 0 { throw StorageError(code: code, call: "fdatasync") }
      }
    }

    /// Replaces the present head by the next one, and waits for the disk.
    ///
    /// After an error the store has one of the two.
    func replaceHead() throws(StorageError) {
      guard rename(path + "/" + Self.newHead, path + "/" + Self.head) == 0 else {
        throw StorageError(code: errno, call: "rename")
      }
      try StorageEnvironment.synchronize(path)
    }

    private func withNewHead(
      truncates: Bool,
      size: Int = 0,
      _ body: (Int32) throws(StorageError) -> Void
    ) throws(StorageError) {
      let name = path + "/" + Self.newHead
      let file = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode_t(fileMode))
      guard file >= 0 else { throw StorageError(code: errno, call: "open") }
      defer { _ = Foundation.close(file) }
      // A reserved file may be larger; its room is kept until the head is written.
      if truncates, ftruncate(file, off_t(size)) != 0 {
        throw StorageError(code: errno, call: "ftruncate")
      }
      try body(file)
    }

    /// Removes all files of an unfinished copy, the locked one last.
    func removeAll() {
      removeLeftovers()
      for name in [Self.head, Self.lock] { unlink(path + "/" + name) }
    }

    /// Removes files of an unfinished creation.
    func removeLeftovers() {
      removePages(except: nil)
      unlink(path + "/" + Self.newHead)
    }

    /// Removes pages files that the head does not name: an interrupted compaction leaves one.
    ///
    /// - Parameter pagesID: The head's pages file; nil when there is no head.
    func removePages(except pagesID: UInt64?) {
      let kept = pagesID.map(Self.pagesName)
      for name in pagesNames where name != kept { unlink(path + "/" + name) }
    }
  }
#endif
