import Foundation
import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox

struct OpeningCheckTests {
  private let temporary: TemporaryStore
  private var file: String { temporary.path + "/" + StorageEnvironment.fileNames[0] }

  init() throws {
    temporary = try TemporaryStore()
    try temporary.store.box(for: Person.self).put((0..<50).map { Person("\($0)", email: "\($0)") })
    temporary.store.close()
  }

  /// Commits as another process would; a large value grows the file.
  private func commit(size: Int) throws {
    try ChangedFile.changeValue(
      temporary.path,
      key: "unknown",
      to: [UInt8](repeating: 7, count: size)
    )
  }

  private func expectSound(_ check: OpeningCheck) throws {
    guard case .sound = try check.run(alone: { _ in false }) else {
      Issue.record("the file is not sound")
      return
    }
  }

  @Test func `a file that another process makes longer while it is checked is sound`() throws {
    var maps = 0
    let check = OpeningCheck(path: file, location: temporary.path) { path in
      let image = try StorageImage(path: path)
      maps += 1
      // The head pages show the new commit, but its pages lie beyond the map.
      if maps == 1 { try commit(size: 200_000) }
      return image
    }
    try expectSound(check)
    #expect(maps == 2)
  }

  @Test func `a sound file and a damaged one are mapped once`() throws {
    var maps = 0
    let check = OpeningCheck(path: file, location: temporary.path) { path in
      maps += 1
      return try StorageImage(path: path)
    }
    try expectSound(check)
    #expect(maps == 1)
    let size = try #require(
      FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
    )
    truncate(file, off_t(size / 2))
    #expect(throws: ObjectBoxError.self) { try check.run { _ in false } }
    #expect(maps == 2)
  }

  @Test func `a version is current until its file is committed to, grows or is replaced`()
    throws
  {
    func newest() throws -> (StorageImage, StorageImage.Head?) {
      let image = try StorageImage(path: file)
      return (image, image.newestHead())
    }
    let first = try newest()
    #expect(try first.0.isCurrent(first.1, at: file))
    try commit(size: 10)
    #expect(try !first.0.isCurrent(first.1, at: file))
    // The head shows the new commit, but the map ends before its pages.
    let second = try newest()
    try commit(size: 200_000)
    #expect(try !second.0.isCurrent(second.0.newestHead(), at: file))
    let third = try newest()
    try FileManager.default.copyItem(atPath: file, toPath: file + ".copy")
    #expect(rename(file + ".copy", file) == 0)
    #expect(try !third.0.isCurrent(third.1, at: file))
    let fourth = try newest()
    #expect(try fourth.0.isCurrent(fourth.1, at: file))
  }
}
