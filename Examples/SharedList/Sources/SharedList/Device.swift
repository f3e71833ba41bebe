import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxSync

/// The store of one device, and its changes.
///
/// Each change is one transaction, which also queues the change for the server.
final class Device {
  private let folder: String
  private let store: Store
  private let entries: Box<Entry>
  private var account: Account?
  /// The store has its client as long as the program keeps it.
  private var client: (any SyncClient)?

  init(folder: String, mayMake: Bool) throws {
    guard mayMake || FileManager.default.fileExists(atPath: folder) else {
      throw Failure("there is no store in '\(folder)'; 'add' or 'join' makes one")
    }
    self.folder = folder
    store = try Store(directoryPath: folder)
    entries = store.box(for: Entry.self)
    account = try Account.read(from: folder)
  }

  // MARK: Lists

  /// Returns the entries of a list, or of all lists, in the order of their keys.
  func entries(of list: String?) throws -> [Entry] {
    let query = list.map { name in entries.query { Entry.list == name } } ?? entries.query()
    return try query.ordered(by: Entry.key).build().find()
  }

  func add(_ text: String, to list: String) throws {
    do {
      try entries.put(Entry(text, on: list, by: account?.name ?? "this device"))
    } catch ObjectBoxError.uniqueViolation {
      throw Failure("'\(text)' is on the list '\(list)' already")
    }
  }

  func finish(_ text: String, on list: String) throws {
    let entry = try entry(text, on: list)
    entry.isDone = true
    try entries.put(entry)
  }

  func remove(_ text: String, from list: String) throws {
    try entries.remove(try entry(text, on: list))
  }

  private func entry(_ text: String, on list: String) throws -> Entry {
    guard let entry = try entries.get(where: Entry.key, equals: Entry.key(text, on: list)) else {
      throw Failure("there is no '\(text)' on the list '\(list)'")
    }
    return entry
  }

  // MARK: Synchronization

  func join(_ account: Account) {
    client?.close()
    client = nil
    self.account = account
  }

  /// Keeps the account for later commands.
  func remember() throws { try account?.write(to: folder) }

  /// Returns the client of the store; nil before the device has joined.
  private func makeClient() throws -> (any SyncClient)? {
    if let client { return client }
    guard let account else { return nil }
    let configuration = Sync.Configuration(store: store, url: account.url)
    configuration.credentials = [.makeUsernamePassword(account.name, account.password)]
    client = try Sync.makeClient(configuration: configuration)
    return client
  }

  /// Sends what waits, and fetches what is new.
  ///
  /// - Parameter limit: The longest time; what is then missing arrives another time.
  /// - Throws: ``Failure`` when the server refuses the account.
  func exchange(within limit: Duration) async throws {
    guard let client = try makeClient() else { return }
    let rejected = try client.rejections().count
    let progress = Progress(client, limit: limit)
    try client.start()
    switch await progress.end() {
    case .everything: break
    case .disconnected where client.lastRefusal == .credentialsRejected:
      throw Failure("the server refuses the name or the password of '\(account?.name ?? "")'")
    case .disconnected:
      let reason = client.lastError.map { " (\($0))" } ?? ""
      tell("offline: \(try waiting(client))\(reason)")
    case .timeIsOver: tell("not finished in time: \(try waiting(client))")
    }
    try client.stop()
    let new = try client.rejections().dropFirst(rejected)
    for rejection in new { tell("the server has rejected \(Self.description(of: rejection))") }
  }

  private func waiting(_ client: any SyncClient) throws -> String {
    let count = try client.waitingCount()
    return count == 1 ? "1 change waits" : "\(count) changes wait"
  }

  func watch() async throws {
    let query = try entries.query().build()
    let changes = try store.changes(query)
    try makeClient()?.start()
    var shown = Set(try entries.all().map(\.line))
    for line in shown.sorted() { tell("  \(line)") }
    for await _ in changes {
      let lines = Set(try entries.all().map(\.line))
      for line in shown.subtracting(lines).sorted() { tell("- \(line)") }
      for line in lines.subtracting(shown).sorted() { tell("+ \(line)") }
      shown = lines
    }
  }

  // MARK: Rejections

  func rejections() throws -> [String] {
    try makeClient()?.rejections().map(Self.description) ?? []
  }

  func resubmitAll() throws {
    guard let client = try makeClient() else { return }
    for rejection in try client.rejections() { try client.resubmit(rejection) }
  }

  func discardAll() throws {
    guard let client = try makeClient() else { return }
    for rejection in try client.rejections() { try client.discard(rejection) }
  }

  /// The write, and the reason why it has no effect: `'home/milk': unique (key)`.
  private static func description(of rejection: SyncRejection) -> String {
    let writes = rejection.writes.map { write in
      if let key = write.values["key"] { return "'\(key)'" }
      return "\(write.kind) of the entry with ID \(write.id)"
    }
    let reasons = rejection.parts.map { part in
      part.property.map { "\(part.reason) (\($0))" } ?? "\(part.reason)"
    }
    return "\(writes.joined(separator: ", ")): \(reasons.joined(separator: ", "))"
  }

  /// The account, and what waits or was rejected.
  func status() throws -> [String] {
    guard let account, let client = try makeClient() else {
      return ["no account: 'join' names the server and the user"]
    }
    return [
      "user '\(account.name)' at \(account.url)",
      try waiting(client),
      "rejected: \(try client.rejections().count)",
    ]
  }
}
