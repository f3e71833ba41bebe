internal import CObjectBoxLMDB
internal import Synchronization

/// The pages that an environment's write transactions may use: the store's limit, which is less
/// than its map.
///
/// A put may use the limit, or the file's size when the transaction began if that is larger. A
/// removal may use more, up to ``removalLimit(of:)``, because it copies pages before it frees them.
///
/// Invariant of `@unchecked Sendable`: only the holder of LMDB's write lock uses the variables and
/// `begin`; any thread may call LMDB's functions.
package final class WriteRoom: @unchecked Sendable {
  /// The pages that a removal may use beyond twice the limit.
  package static let removalSlack: UInt = 64

  /// The greatest number of pages of the file.
  let limit: Atomic<UInt>
  /// The parts of the state that a savepoint restores.
  struct State {
    /// The number of pages that the transaction may use so far.
    var ceiling: UInt = 0
    /// True after something was removed.
    var hasRemoved = false
  }

  @exclusivity(unchecked) var state = State()
  /// The number of running removals; one may contain others.
  @exclusivity(unchecked) var removalDepth = 0
  /// The file's page count when the transaction began.
  private let begin: UnsafeMutablePointer<UInt>
  /// Whether LMDB's transactions have their page count where this type looks for it; nil before the
  /// first one.
  @exclusivity(unchecked) private var knowsTransactions: Bool?

  /// LMDB's environment of the open transaction.
  @exclusivity(unchecked) private var environment: OpaquePointer?

  init(limit: UInt, looksIntoTransactions: Bool) {
    knowsTransactions = looksIntoTransactions ? nil : false
    self.limit = Atomic(limit)
    begin = .allocate(capacity: 1)
    begin.initialize(to: 0)
  }

  deinit { begin.deallocate() }

  /// Begins to count the pages of a write transaction without a parent.
  ///
  /// - Returns: The check of its puts.
  /// - Throws: ``StorageError`` when the environment cannot be read.
  func begin(_ transaction: OpaquePointer) throws(StorageError) -> RoomCheck {
    environment = mdb_txn_env(transaction)
    let known = knowsTransactions ?? true
    if !known || knowsTransactions == nil {
      var information = MDB_envinfo()
      try check(mdb_env_info(environment, &information), calling: "mdb_env_info")
      begin.pointee = UInt(information.me_last_pgno) + 1
      knowsTransactions = known && lmdbPageCount(of: transaction).pointee == begin.pointee
    }
    let roomCheck = roomCheck(of: transaction)
    begin.pointee = roomCheck.pages.pointee
    let limit = limit.load(ordering: .relaxed)
    // Without the transaction's page count, puts are refused after the file has passed the limit.
    state = State(ceiling: knowsTransactions == true ? max(limit, begin.pointee) : limit)
    removalDepth = 0
    return roomCheck
  }

  /// Returns the check of a transaction's puts: a begun transaction without a parent, or its child.
  func roomCheck(of transaction: OpaquePointer) -> RoomCheck {
    let pages =
      knowsTransactions == true ? lmdbPageCount(of: transaction) : UnsafePointer(begin)
    return RoomCheck(pages: pages, room: .passUnretained(self))
  }

  /// The greatest page count that a removal may leave while a version is pinned.
  package static func removalLimit(of limit: UInt) -> UInt {
    let twice = limit.multipliedReportingOverflow(by: 2)
    let sum = twice.partialValue.addingReportingOverflow(removalSlack)
    return twice.overflow || sum.overflow ? .max : sum.partialValue
  }

  /// Lets a transaction use more pages than `state.ceiling`, or refuses it.
  ///
  /// - Parameters:
  ///   - pages: The page count, including pages that the transaction has added.
  ///   - isEnding: True before the commit.
  /// - Throws: ``StorageError`` with `isLimitReached`.
  @inline(never)
  func exceed(_ pages: UInt, isEnding: Bool = false) throws(StorageError) {
    let limit = limit.load(ordering: .relaxed)
    if pages <= limit {
      // The limit was raised meanwhile.
      state.ceiling = limit
      return
    }
    guard removalDepth > 0 || isEnding && state.hasRemoved else { throw .limitReached }
    if pages > Self.removalLimit(of: limit) {
      // If another process grew the file past our limit, small removals may still use a few more
      // pages, unless a pinned version keeps the freed ones.
      guard pages <= begin.pointee + Self.removalSlack,
        let environment, try StorageEnvironment.heldVersion(environment) == nil
      else { throw .removalLimitReached }
    }
    state.ceiling = pages
  }
}

/// The check after each put of a write transaction; costs one comparison.
struct RoomCheck {
  /// The page count, including pages that the transaction has added.
  let pages: UnsafePointer<UInt>
  /// The room; it exists as long as the environment.
  let room: Unmanaged<WriteRoom>

  var isExceeded: Bool {
    let pages = pages.pointee
    return room._withUnsafeGuaranteedRef { pages > $0.state.ceiling }
  }

  /// Throws ``StorageError`` with `isLimitReached` when the transaction uses more pages than it
  /// may.
  func verify() throws(StorageError) {
    if isExceeded { try exceed(isEnding: false) }
  }

  @inline(never)
  func exceed(isEnding: Bool) throws(StorageError) {
    try room.takeUnretainedValue().exceed(pages.pointee, isEnding: isEnding)
  }
}

extension StorageError {
  /// The error of a write that would grow the file past the store's limit.
  static let limitReached = StorageError(code: MDB_MAP_FULL, call: "the limit of the store")
  /// The error of a removal that would grow the file past the limit of removals.
  static let removalLimitReached = StorageError(
    code: MDB_MAP_FULL,
    call: "the limit of removals"
  )

  /// True when the store's limit refuses a write; false for the end of the map.
  package var isLimitReached: Bool { self == .limitReached || isRemovalLimitReached }
  /// True when a removal would exceed the limit of removals.
  package var isRemovalLimitReached: Bool { self == .removalLimitReached }
}

extension StorageTransaction {
  /// Runs a removal in a write transaction; it may exceed the store's limit.
  ///
  /// - Parameters:
  ///   - isRemoval: False for a body that is not a removal.
  ///   - body: The removal.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body, and ``StorageError`` with `isLimitReached` after it.
  package func removing<T>(_ isRemoval: Bool = true, _ body: () throws -> T) throws -> T {
    guard isRemoval, let room else { return try body() }
    room.removalDepth += 1
    defer { room.removalDepth -= 1 }
    room.state.hasRemoved = true
    let result = try body()
    try checkRoom()
    return result
  }

  /// Runs a body that completes earlier operations; counts as a removal if one of them was.
  package func finishing<T>(_ body: () throws -> T) throws -> T {
    try removing(room?.state.hasRemoved ?? false, body)
  }

  /// Throws ``StorageError`` with `isLimitReached` when the file would grow more than it may.
  package func checkRoom() throws(StorageError) { try roomCheck?.verify() }
}
