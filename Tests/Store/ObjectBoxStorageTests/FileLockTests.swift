import Foundation
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

struct FileLockTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func open(isReadOnly: Bool = false) throws -> FileLock {
    try #require(FileLock(path: folder.path + "/file", mode: 0o600, isReadOnly: isReadOnly))
  }

  @Test func `shared locks go together, and exclude an exclusive one of the same place only`()
    throws
  {
    let (first, second) = (try open(), try open(isReadOnly: true))
    #expect(try first.lock(3, isExclusive: false))
    #expect(try second.lock(3, isExclusive: false))
    #expect(try !first.lock(3, isExclusive: true))
    #expect(try first.lock(4, isExclusive: true))
    second.unlock(3)
    #expect(try first.lock(3, isExclusive: true))
    #expect(try !second.lock(3, isExclusive: false))
    first.close()
    #expect(try second.lock(3, isExclusive: false))
    second.close()
  }

  @Test func `a lock that cannot become exclusive stays shared`() throws {
    let (first, second, third) = (try open(), try open(), try open())
    #expect(try first.lock(0, isExclusive: false))
    #expect(try second.lock(0, isExclusive: false))
    #expect(try !first.lock(0, isExclusive: true))
    second.unlock(0)
    #expect(try !third.lock(0, isExclusive: true))
    for lock in [first, second, third] { lock.close() }
  }

  @Test func `closing another one of the same file in the process drops no lock`() throws {
    let first = try open()
    #expect(try first.lock(0, isExclusive: true))
    try open().close()
    let second = try open()
    #expect(try !second.lock(0, isExclusive: false))
    for lock in [first, second] { lock.close() }
  }

  @Test func `locks end with close, although a process that is being started has the file as well`()
    throws
  {
    let first = try open()
    #expect(try first.lock(0, isExclusive: true))
    #expect(try first.lock(2, isExclusive: true))
    // A process that is being started has a copy of the descriptor.
    var file = stat()
    #expect(stat(folder.path + "/file", &file) == 0)
    let descriptors = (0..<getdtablesize()).filter { descriptor in
      var other = stat()
      return fstat(descriptor, &other) == 0 && other.st_ino == file.st_ino
        && other.st_dev == file.st_dev
    }
    let copies = descriptors.map { dup($0) }
    #expect(copies.count == 1)
    first.close()
    let second = try open()
    #expect(try second.lock(0, isExclusive: true))
    #expect(try second.lock(2, isExclusive: true))
    second.close()
    for copy in copies { close(copy) }
  }

  @Test func `a lock that the system refuses for another reason than its holders is not granted`()
    throws
  {
    let reader = try open()
    reader.close()
    let first = try open(isReadOnly: true)
    #expect(throws: StorageError(code: EBADF, call: "fcntl")) {
      try first.lock(0, isExclusive: true)
    }
    for code in [ENOLCK, EINVAL] {
      FileLock.$systemCall.withValue({ _, _, _ in code }) {
        #expect(throws: StorageError(code: code, call: "fcntl")) {
          try first.lock(0, isExclusive: false)
        }
      }
    }
    #expect(try first.lock(0, isExclusive: false))
    first.close()
  }

  @Test func `a file tells when another one has taken its name`() throws {
    let first = try open()
    let path = folder.path + "/file"
    #expect(first.isFile(at: path))
    try FileManager.default.removeItem(atPath: path)
    #expect(!first.isFile(at: path))
    let second = try open()
    #expect(!first.isFile(at: path))
    #expect(second.isFile(at: path))
    for lock in [first, second] { lock.close() }
  }

  @Test func `a file that is missing is not made for reading`() throws {
    #expect(FileLock(path: folder.path + "/file", mode: 0o600, isReadOnly: true) == nil)
  }
}
