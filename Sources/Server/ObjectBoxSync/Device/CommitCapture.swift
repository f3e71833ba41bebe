internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol

/// Queues the changes of each write transaction of a store for the server, in that transaction.
///
/// It lives until the store closes, so that no change is missed while no client runs.
final class CommitCapture: CommitParticipant {
  let model: SyncedModel
  let table: SyncTable
  private let state = Guarded(State())

  private struct State {
    weak var client: StoreSyncClient?
    /// The transactions that were queued in the LMDB transaction with the number `version`, in
    /// order.
    var version = 0
    var members: [Member] = []
  }

  /// A queued transaction, which may be rolled back.
  private struct Member {
    let token: TransactionToken
    /// The transaction; nil if it was not read or is large.
    var transaction: SyncTransaction?
  }

  /// The greatest number of operations of a transaction that stays in memory for later members of
  /// its group.
  private static let keptOperationCount = 64

  init(_ model: SyncedModel, _ table: SyncTable) {
    self.model = model
    self.table = table
  }

  // MARK: Client

  /// The client of the store, as long as the program keeps it.
  var client: StoreSyncClient? { state.withLock { $0.client } }

  /// Makes a client the client of the store.
  ///
  /// - Returns: False if the store has another one that is not closed.
  func setClient(_ client: StoreSyncClient) -> Bool {
    state.withLock { state in
      if let other = state.client, other !== client, !other.isClosed() { return false }
      state.client = client
      return true
    }
  }

  // MARK: Commits

  func willCommit(_ transaction: Transaction) throws {
    let changed = transaction.notedChanges
    guard changed.contains(where: { model[$0.key] != nil && !$0.value.isEmpty }) else {
      return
    }
    let device = try StoredDevice(model, table, in: transaction, checksUnique: false)
    let token = TransactionToken(.random())
    // The transaction may also have to queue earlier objects.
    if device.unadopted.isEmpty, let objects = WrittenObjects(changed, model),
      !objects.hasUpdates || members(of: transaction).isEmpty
    {
      switch try objects.queue(token, wall: WallClock.now, device) {
      case .queued: return note(token, in: transaction)
      case .unchanged: return
      case .needsForecast: break
      }
    }
    let changes = try CapturedChanges(changed, device) {
      try earlierMembers(of: transaction, device)
    }
    if try changes.queue(token, wall: WallClock.now) { note(token, in: transaction) }
  }

  /// Records a queued transaction for later members of the same group.
  private func note(_ token: TransactionToken, in transaction: Transaction) {
    state.withLock { state in
      if state.version != transaction.version {
        state.version = transaction.version
        state.members = []
      }
      state.members.append(Member(token: token))
    }
  }

  /// Returns the transactions that were queued in the same LMDB transaction.
  private func members(of transaction: Transaction) -> [Member] {
    state.withLock { $0.version == transaction.version ? $0.members : [] }
  }

  /// Returns the waiting transactions since the last commit: members of a group share one.
  private func earlierMembers(
    of transaction: Transaction,
    _ device: StoredDevice
  ) throws -> [SyncTransaction] {
    var members = members(of: transaction)
    var earlier: [SyncTransaction] = []
    for index in members.indices {
      // A member that was rolled back is not in the queue.
      guard let place = try device.place(of: members[index].token) else { continue }
      let known = members[index].transaction
      let member = try known ?? device.waiting(place: place).transaction
      if member.operations.count <= Self.keptOperationCount { members[index].transaction = member }
      earlier.append(member)
    }
    let read = members
    if !read.isEmpty { state.withLock { $0.members = read } }
    return earlier
  }
}
