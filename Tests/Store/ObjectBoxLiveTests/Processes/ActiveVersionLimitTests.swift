@testable import ObjectBox
@testable import ObjectBoxLive
import ObjectBoxProcessTestSupport
import ObjectBoxTestSupport
import Testing

struct ActiveVersionLimitTests {
  @Test
  func `a write is refused while as many versions are kept alive as the configuration allows`()
    throws
  {
    let folder = try TemporaryDirectory()
    let store = try Row.store(folder.path + "/store") { $0.maximumNumberOfActiveVersions = 2 }
    let rows = store.box(for: Row.self)
    var pins = [try PinnedRead(store.transactions, .snapshot)]
    // Two holders of one version count as one version.
    pins.append(try PinnedRead(store.transactions, .snapshot))
    try rows.put(Row(1))
    pins.append(try PinnedRead(store.transactions, .live))
    #expect {
      try rows.put(Row(2))
    } throws: { error in
      if case ObjectBoxError.tooManyActiveVersions(2, limit: 2) = error { true } else { false }
    }
    pins.removeLast()
    try rows.put(Row(2))
    #expect(try rows.all().map(\.number) == [1, 2])
  }

  @Test func `the oldest active version is the holder to let go, and tells the call that made it`()
    throws
  {
    let folder = try TemporaryDirectory()
    let store = try Row.store(folder.path + "/store") { $0.maximumNumberOfActiveVersions = 2 }
    let rows = store.box(for: Row.self)
    let oldest = try store.freeze()
    let line = #line - 1
    let version = try oldest.version()
    try rows.put(Row(1))
    let live = try store.live()
    _ = try live.version()
    let error = try #require(throws: ObjectBoxError.self) { try rows.put(Row(2)) }
    #expect(error.message.contains("store.activeVersions"))
    let holder = try #require(store.activeVersions.first)
    #expect(holder.version == version)
    #expect(holder.file == #fileID && holder.line == line)
    oldest.invalidate()
    try rows.put(Row(2))
  }
}
