#if OBJECTBOX_SODIUM
  internal import CObjectBoxEncryption
  internal import Foundation
  internal import ObjectBox
  internal import ObjectBoxStorage

  /// The files of an encrypted store in its directory, and the lock that keeps other processes out.
  ///
  /// Invariant of `@unchecked Sendable`: the pages file is set before another thread gets the
  /// object.
  final class ImageFiles: @unchecked Sendable {
    static let head = StoreDirectory.sealedHead
    static let newHead = "sealed.head.new"
    static let lock = "sealed.lock"
    private static let pagesPrefix = "sealed.pages-"
    private static let newSuffix = ".new"

    let path: String
    private let fileMode: UInt32
    private let lock: FileLock
    /// The descriptor of the pages file; -1 before it is open.
    private var pages: Int32 = -1

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

    /// Takes the lock of a directory; nil when another process has it.
    ///
    /// - Throws: ``StorageError`` with the system's error number.
    init?(path: String, fileMode: UInt32) throws(StorageError) {
      self.path = path
      self.fileMode = fileMode
      let name = path + "/" + Self.lock
      while true {
        guard let lock = FileLock(path: name, mode: fileMode, isReadOnly: false) else {
          throw StorageError(code: errno, call: "open")
        }
        guard try lock.lock(0, isExclusive: true) else { return nil }
        // Whoever removes a store removes the locked file last.
        guard lock.isFile(at: name) else { continue }
        self.lock = lock
        return
      }
    }

    func close() {
      if pages >= 0 { _ = Foundation.close(pages) }
      pages = -1
      lock.close()
    }

    deinit { close() }

    func exists(_ name: String) -> Bool {
      var status = stat()
      return lstat(path + "/" + name, &status) == 0
    }

    // MARK: Pages

    private static func name(of pagesID: UInt64) -> String {
      let digits = String(pagesID, radix: 16)
      return pagesPrefix + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Makes the pages file of a new store; `nameNewPages` gives it its name.
    func makePages(_ pagesID: UInt64, begin: [UInt8]) throws(StorageError) {
      let name = path + "/" + Self.name(of: pagesID) + Self.newSuffix
      pages = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode_t(fileMode))
      guard pages >= 0 else { throw StorageError(code: errno, call: "open") }
      try begin.withUnsafeBytes { bytes in
        Result { () throws(StorageError) in try put(bytes, at: 0) }
      }.get()
      try sync()
    }

    /// Gives a new pages file its name, before the head is written.
    func nameNewPages(_ pagesID: UInt64) throws(StorageError) {
      let name = path + "/" + Self.name(of: pagesID)
      guard rename(name + Self.newSuffix, name) == 0 else {
        throw StorageError(code: errno, call: "rename")
      }
      try StorageEnvironment.synchronize(path)
    }

    /// Opens the pages file that a head names.
    func openPages(_ pagesID: UInt64) throws(StorageError) {
      let name = path + "/" + Self.name(of: pagesID)
      pages = open(name, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      guard pages >= 0 else { throw StorageError(code: errno, call: "open") }
    }

    /// The names of all pages files, those of an unfinished creation included.
    var pagesNames: [String] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      return names.filter { $0.hasPrefix(Self.pagesPrefix) }
    }

    /// The names of the pages files that were on the disk before a head could name them.
    var finishedPagesNames: [String] { pagesNames.filter { !$0.hasSuffix(Self.newSuffix) } }

    /// Returns bytes of a file of the directory.
    func read(_ name: String, count: Int = .max) throws(StorageError) -> [UInt8] {
      try Self.read(path + "/" + name, count: count)
    }

    /// Returns bytes of a file.
    static func read(_ path: String, count: Int = .max) throws(StorageError) -> [UInt8] {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { throw StorageError(code: errno, call: "open") }
      defer { _ = Foundation.close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw StorageError(code: errno, call: "fstat") }
      var bytes = [UInt8](repeating: 0, count: min(count, Int(status.st_size)))
      let got = bytes.withUnsafeMutableBytes { get($0, from: descriptor, at: 0) }
      guard got >= 0 else { throw StorageError(code: errno, call: "pread") }
      return Array(bytes.prefix(got))
    }

    /// Reads from the pages file; bytes after its end are not set.
    ///
    /// - Returns: The number of bytes that were read; -1, with `errno`, after an error.
    func get(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
      Self.get(buffer, from: pages, at: offset)
    }

    private static func get(
      _ buffer: UnsafeMutableRawBufferPointer,
      from descriptor: Int32,
      at offset: Int
    ) -> Int {
      var done = 0
      while done < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
        let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
        if count < 0, errno == EINTR { continue }
        if count < 0 { return -1 }
        if count == 0 { break }
        done += count
      }
      return done
    }

    /// Writes to the pages file.
    func put(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
      try StorageEnvironment.write(bytes, to: pages, at: offset)
    }

    /// Waits until the pages file is on the disk.
    func sync() throws(StorageError) {
      let code = Self.synchronize(pages)
      if code != 0 { throw StorageError(code: code, call: "fdatasync") }
    }

    /// Takes room on the disk for a part of the pages file.
    ///
    /// File systems that cannot are left to refuse the write itself.
    func reserve(offset: Int, size: Int) throws(StorageError) {
      try Self.reserve(pages, offset: offset, size: size)
    }

    private static func reserve(_ file: Int32, offset: Int, size: Int) throws(StorageError) {
      let code = takeRoom(file, Int64(offset), Int64(size))
      if code != 0, code != EOPNOTSUPP, code != ENOSYS {
        throw StorageError(code: code, call: "fallocate")
      }
    }

    // MARK: Head

    /// Takes room on the disk for the next head.
    func reserveHead(size: Int) throws(StorageError) {
      try withNewHead(truncates: false) { (file) throws(StorageError) in
        try Self.reserve(file, offset: 0, size: size)
      }
    }

    /// Writes the next head beside the present one, and waits for the disk.
    ///
    /// - Parameter copy: One of the two equal copies.
    /// - Throws: ``StorageError``; the present head stays.
    func writeNewHead(_ copy: [UInt8]) throws(StorageError) {
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

    /// Puts the next head in the place of the present one, and waits for the disk.
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

    /// Removes all files of a copy that did not come to its end, the locked one last.
    func removeAll() {
      removeLeftovers()
      for name in [Self.head, Self.lock] { unlink(path + "/" + name) }
    }

    /// Removes files of a creation that did not come to its end.
    func removeLeftovers() {
      for name in pagesNames { unlink(path + "/" + name) }
      unlink(path + "/" + Self.newHead)
    }
  }
#endif
