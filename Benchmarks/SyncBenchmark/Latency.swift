import Dispatch
import Foundation
import ObjectBox
import ObjectBoxSync

/// The time from a commit on one device to the observer on another.
struct Latency {
  private let database: Database
  private static let commits = 400

  init(_ database: Database) { self.database = database }

  func run() async throws {
    let server = try Child([database.address, "serve", database.schema])
    let url = "ws://127.0.0.1:\(try server.line())"
    try await measure(url, "")
    let count = Main.number("DEVICES", 1_000)
    let others = try Child([url, "devices", "\(count)"])
    _ = try others.line()
    try await measure(url, ", \(count) devices of other users connected")
    try others.stop()
    try server.stop()
  }

  private func measure(_ url: String, _ condition: String) async throws {
    let user = "user \(UUID().uuidString)"
    let (writer, reader) = (try Device(url: url, user: user), try Device(url: url, user: user))
    try await writer.fill()
    try await reader.fill()
    let (commits, continuation) = AsyncStream<Void>.makeStream()
    let observer = reader.items.subscribe(
      dispatchQueue: DispatchQueue(label: "observer"),
      flags: []
    ) {
      continuation.yield()
    }
    defer { observer.unsubscribe() }
    var iterator = commits.makeAsyncIterator()
    var times: [Double] = []
    for number in -20..<Self.commits {
      let item = Item(owner: user, number: number)
      let start = Usage.clock
      try writer.items.put(item)
      await iterator.next()
      if number >= 0 { times.append((Usage.clock - start) * 1_000) }
      guard try reader.items.count() == number + 21 else {
        Main.fail("the observer heard of another commit")
      }
      // Not in step with any timer.
      try await Task.sleep(for: .microseconds(Int.random(in: 1_000...9_000)))
    }
    let what = "commit on one device to the observer on another"
    Report.atMost("\(what)\(condition): p50", 10, times.median, " ms")
    Report.atMost("\(what)\(condition): p99", 60, times.quantile(0.99), " ms")
    writer.store.close()
    reader.store.close()
  }
}
