import Foundation
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox

struct HeldDirectoryTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func prepare(_ name: String) throws -> HeldDirectory {
    let directory = StoreDirectory(location: folder.path + "/" + name)
    return try directory.prepare(fileMode: 0o644, isReadOnly: false)
  }

  @Test func `a directory that is removed while it is being opened lends its number to no other`()
    throws
  {
    let held = try prepare("store")
    // Many file systems would reuse the inode number for the next directory.
    #expect(rmdir(folder.path + "/store") == 0)
    let others = try (0..<20).map { try prepare("\($0)") }
    #expect(!others.contains { $0.key == held.key })
    held.close()
  }

  @Test func `a directory has one key under all its names`() throws {
    let held = try prepare("store")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link",
      withDestinationPath: folder.path + "/store"
    )
    #expect(try prepare("link").key == held.key)
    #expect(StoreDirectory(location: folder.path + "/link").registryKey == held.key)
  }

  @Test func `what is no directory is not held`() throws {
    try folder.write("a text", to: "file")
    #expect(StoreDirectory(location: folder.path + "/file").held == nil)
    #expect(StoreDirectory(location: folder.path + "/missing").held == nil)
    #expect(throws: ObjectBoxError.self) { try prepare("file") }
  }
}
