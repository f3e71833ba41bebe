import Dispatch
import ObjectBox
import ObjectBoxSync
import Testing

#if OBJECTBOX_WEBSOCKETS
  let hasWebSockets = true
#else
  let hasWebSockets = false
#endif

/// Writes down what a client tells; a structure, which only the client keeps.
struct ClientLog: SyncListener {
  /// The names of events.
  let events: AsyncStream<String>
  private let log: AsyncStream<String>.Continuation
  private let tellsQueue: Bool
  private static let mainQueue = DispatchSpecificKey<Bool>()

  /// Makes a log.
  ///
  /// - Parameter tellsQueue: True to write down whether the queue is the main one. On Linux, a program with an
  ///   asynchronous main function runs it on any thread.
  init(tellsQueue: Bool = false) {
    (events, log) = AsyncStream.makeStream()
    self.tellsQueue = tellsQueue
    DispatchQueue.main.setSpecific(key: Self.mainQueue, value: true)
  }

  func loggedIn() { write("logged in") }
  func loginFailed(result: SyncCode) { write("login failed: \(result)") }
  func updatesCompleted() { write("completed") }
  func connected() { write("connected") }
  func disconnected() { write("disconnected") }
  func changed(_ changes: [obx_schema_id: SyncChange]) {
    write("changed \(changes.values.reduce(0) { $0 + $1.puts.count })")
  }

  private func write(_ event: String) {
    let isMain = DispatchQueue.getSpecific(key: Self.mainQueue) ?? false
    log.yield(tellsQueue ? "\(event) \(isMain)" : event)
  }
}

extension TestDevice {
  /// Makes the client of the store.
  func client(
    _ port: Int,
    _ configure: (Sync.Configuration) -> Void = { _ in }
  ) throws -> any SyncClient {
    let configuration = Sync.Configuration(store: store, url: "ws://127.0.0.1:\(port)")
    configure(configuration)
    return try Sync.makeClient(configuration: configuration)
  }
}

extension SyncClient {
  /// Waits for a state.
  func reach(_ state: SyncState) async {
    for await next in states where next == state { return }
    Issue.record("the client was closed before it was \(state)")
  }

  /// Waits until the server has decided everything that was written so far.
  func waitForDecisions() async {
    for await count in decisions where count == 0 { return }
  }
}
