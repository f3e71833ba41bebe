import Foundation
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// Renewed reads, and the reader slots that pin their versions.
struct ReadRenewalTests {
  private let folder: TemporaryDirectory
  private let environment: StorageEnvironment
  private let table: StorageTable

  init() throws {
    folder = try TemporaryDirectory()
    var options = StorageEnvironment.Options(mapSizeInBytes: 1 << 30, maximumTableCount: 4)
    options.isDurable = false
    environment = try StorageEnvironment(directory: folder.path, options: options)
    let first = try environment.beginWrite()
    table = try #require(try first.openTable("objects", .objects, create: true))
    try Self.write(first, table)
  }

  /// Writes the number of the commit into many objects.
  private static func write(_ transaction: StorageTransaction, _ table: StorageTable) throws {
    try withUnsafeBytes(of: transaction.snapshotID) { number in
      for id in 1...1000 { try transaction.put(table, id: UInt64(id), record: number) }
    }
    try transaction.commit()
  }

  /// A read transaction that was renewed twice.
  private func repeatedRead() throws -> StorageTransaction {
    let read = try environment.beginRead()
    for _ in 0..<2 {
      read.reset()
      try read.renew()
    }
    read.reset()
    return read
  }

  /// The versions that readers pin, as LMDB reports them.
  private func pinnedVersions() throws -> [Int] {
    try environment.readerSlots().compactMap(\.version)
  }

  @Test func `a read that begins again at the same version pins it until it is reset`() throws {
    defer { environment.close() }
    let read = try repeatedRead()
    defer { read.abort() }
    #expect(try pinnedVersions() == [])
    try read.renew()
    #expect(try pinnedVersions() == [read.snapshotID])
    read.reset()
    #expect(try pinnedVersions() == [])
  }

  #if os(Linux)
    @Test func `reads begin no more once LMDB has not written a head page`() throws {
      environment.close()
      let options = StorageEnvironment.Options(mapSizeInBytes: 1 << 30, maximumTableCount: 4)
      let environment = try StorageEnvironment(directory: folder.path, options: options)
      defer { environment.close() }
      let writing = try environment.beginWrite()
      let table = try #require(try writing.openTable("objects", .objects, create: false))
      try Self.write(writing, table)
      let read = try environment.beginRead()
      defer { read.abort() }
      for _ in 0..<3 {
        read.reset()
        try read.renew()
      }
      read.reset()
      try refuseHeadPages()
      let next = try environment.beginWrite()
      #expect(throws: (any Error).self) { try Self.write(next, table) }
      #expect(throws: (any Error).self) { try read.renew() }
    }

    /// Redirects the descriptor by which LMDB writes head pages to a full disk.
    private func refuseHeadPages() throws {
      let full = open("/dev/full", O_WRONLY)
      defer { close(full) }
      let path = try #require(realpath(folder.path + "/data.mdb", nil))
      defer { free(path) }
      for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
        let link = "/proc/self/fd/" + name
        let file = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
        guard file == String(cString: path), let descriptor = Int32(name),
          fcntl(descriptor, F_GETFL) & O_DSYNC != 0
        else { continue }
        #expect(dup2(full, descriptor) == descriptor)
        return
      }
      Issue.record("LMDB has no such descriptor")
    }
  #endif

  @Test func `a read that begins again keeps its version from writers`() throws {
    defer { environment.close() }
    let read = try repeatedRead()
    defer { read.abort() }
    try read.renew()
    let version = read.snapshotID
    for _ in 0..<10 { try Self.write(try environment.beginWrite(), table) }
    #expect(try pinnedVersions() == [version])
    for id in 1...1000 {
      #expect(try read.get(table, id: UInt64(id))?.loadUnaligned(as: Int.self) == version)
    }
  }

  @Test func `a read that begins again after a commit shows it`() throws {
    defer { environment.close() }
    let read = try repeatedRead()
    defer { read.abort() }
    let before = read.snapshotID
    for count in 1...3 {
      try Self.write(try environment.beginWrite(), table)
      try read.renew()
      #expect(read.snapshotID == before + count)
      #expect(try read.get(table, id: 7)?.loadUnaligned(as: Int.self) == before + count)
      read.reset()
    }
  }

  @Test func `the generation of a read's pages changes with its version alone`() throws {
    defer { environment.close() }
    let read = try repeatedRead()
    defer { read.abort() }
    try read.renew()
    let generation = try #require(read.pagesGeneration)
    let record = try read.get(table, id: 7)
    read.reset()
    try read.renew()
    #expect(read.pagesGeneration == generation)
    #expect(try read.get(table, id: 7)?.baseAddress == record?.baseAddress)
    read.reset()
    let write = try environment.beginWrite()
    #expect(write.pagesGeneration == nil)
    try Self.write(write, table)
    try read.renew()
    #expect(read.pagesGeneration != generation)
    read.reset()
  }

  @Test func `a read that ends gives its slot back`() throws {
    defer { environment.close() }
    let read = try repeatedRead()
    try read.renew()
    read.abort()
    #expect(try environment.readerSlots().isEmpty)
    let other = try environment.beginRead()
    defer { other.abort() }
    #expect(try pinnedVersions() == [other.snapshotID])
  }
}
