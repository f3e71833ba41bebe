import Dispatch
import Foundation
import ObjectBox
import ObjectBoxSync

/// A store with a client.
final class Device {
  let folder: Folder
  let store: Store
  let items: Box<Item>
  let client: any SyncClient

  init(url: String, user: String) throws {
    folder = try Folder()
    // Room for a million objects with their versions.
    store = try Store(directoryPath: folder.path, maxDbSizeInKByte: 4 << 20)
    items = store.box()
    let configuration = Sync.Configuration(store: store, url: url)
    configuration.credentials = [.makeUsernamePassword(user, "")]
    client = try Sync.makeClient(configuration: configuration)
  }

  /// The listener that waits for the first complete state.
  private final class Completion: SyncCompletedListener, Sendable {
    let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }
    func updatesCompleted() { continuation.yield() }
  }

  /// Starts the client, and waits until the device has everything.
  func fill() async throws {
    let completion = Completion()
    client.completedListener = completion
    try client.start()
    for await _ in completion.stream { return }
  }

  /// Fills a store, and prints objects, elapsed seconds, processor seconds, the peak of memory, and of it what is
  /// not of files.
  static func run(url: String, user: String) async throws {
    let device = try Device(url: url, user: user)
    let (start, own) = (Usage.clock, Usage.own)
    try await device.fill()
    let (end, used) = (Usage.clock, Usage.own)
    let pid = ProcessInfo.processInfo.processIdentifier
    Report.say(
      "\(try device.items.count()) \(end - start) \(used - own) \(Usage.memory("VmHWM", of: pid)) "
        + "\(Usage.memory("RssAnon", of: pid))"
    )
  }
}

/// A server with many devices that have nothing to do.
struct Idle {
  private let database: Database

  init(_ database: Database) { self.database = database }

  func run() async throws {
    let count = Main.number("DEVICES", 1_000)
    let server = try Child([database.address, "serve", database.schema])
    let url = "ws://127.0.0.1:\(try server.line())"
    let before = Usage.memory("VmRSS", of: server.pid)
    let devices = try Child([url, "devices", "\(count)"])
    _ = try devices.line()
    try await Task.sleep(for: .seconds(3))
    Report.atMost(
      "memory of a server with \(count) idle devices",
      100,
      Usage.memory("VmRSS", of: server.pid),
      " MB"
    )
    Report.line("… before they came", "\(Report.short(before)) MB")
    let start = Usage.time(of: server.pid)
    try await Task.sleep(for: .seconds(5))
    Report.line(
      "… its processor time while nothing happens",
      "\(Report.short((Usage.time(of: server.pid) - start) / 5 * 1_000)) ms a second"
    )
    try devices.stop()
    try server.stop()
  }
}
