internal import CObjectBoxLMDB
internal import CObjectBoxPages
internal import Synchronization

/// The state of an environment that all its transactions share.
///
/// A class for that reason.
final class EnvironmentState: Sendable {
  /// True once LMDB has refused to go on, as after a head page that was not written.
  let isRefused = Atomic<Bool>(false)
}

/// The reader slot of a read transaction, by which it pins the version that it had before when that is still the
/// newest one: `mdb_txn_renew` would do the same, and then copy the roots of all tables, which the pages have.
///
/// Its transaction is that of one thread at a time. LMDB takes it for a transaction that was reset.
struct SlotPin {
  private enum Knowledge {
    case unsought
    /// It pins what the transaction does.
    case found
    /// It was seen to pin nothing after a reset as well.
    case certain
    case none
  }

  private var slot = obx_reader_slot()
  private var knowledge = Knowledge.unsought
  /// True while the version is pinned without LMDB.
  private(set) var isPinned = false

  /// Looks for the slot, once, in a transaction that LMDB has just renewed.
  @inline(__always)
  mutating func find(_ transaction: OpaquePointer) {
    if case .unsought = knowledge { seek(transaction) }
  }

  @inline(never)
  private mutating func seek(_ transaction: OpaquePointer) {
    knowledge = .none
    var (major, minor): (Int32, Int32) = (0, 0)
    _ = mdb_version(&major, &minor, nil)
    guard (major, minor) == (0, 9), let environment = mdb_txn_env(transaction) else { return }
    let isFound = obx_reader_slot_find(
      UnsafeRawPointer(transaction),
      UnsafeRawPointer(environment),
      UInt64(mdb_txn_id(transaction)),
      &slot
    )
    if isFound != 0 { knowledge = .found }
  }

  /// Pins a version if it is the newest one.
  ///
  /// - Returns: False when LMDB has to do it.
  @inline(__always)
  mutating func pin(_ version: Int, _ state: EnvironmentState) -> Bool {
    guard case .certain = knowledge, !state.isRefused.load(ordering: .relaxed),
      obx_reader_slot_pin(slot, UInt64(truncatingIfNeeded: version)) != 0
    else { return false }
    isPinned = true
    return true
  }

  /// Ends what `pin` began.
  @inline(__always)
  mutating func release() {
    isPinned = false
    obx_reader_slot_release(slot)
  }

  /// Notes that LMDB has reset the transaction.
  @inline(__always)
  mutating func noteReset() {
    if case .found = knowledge { knowledge = obx_reader_slot_is_free(slot) != 0 ? .certain : .none }
  }
}
