/// A broken promise of synchronization in a history.
package enum SyncHistoryFault: Hashable, Sendable, CustomStringConvertible {
  /// An acknowledged write that is neither in the database nor told as rejected.
  case lost(device: String, token: String)
  /// A half that more than one object has.
  case doubled(place: String, half: SyncHistory.Half)
  /// A state with one half of a transaction.
  case torn(place: String, token: String)
  /// A state whose couple of cells has stamps of different transactions.
  case tornCells(place: String, first: Int, stamps: [String])
  /// A view without a write that an earlier view of the store had.
  case wentBack(device: String, token: String)
  /// A view with an earlier stamp, after another one.
  case stampWentBack(device: String, cell: Int, stamp: String)
  /// A state with a write, and without the one that its device saw before.
  case effectWithoutCause(place: String, effect: String, cause: String)
  /// A write that left the store, and that the store does not tell as rejected.
  case untold(device: String, token: String)
  /// A rejection that a store tells more than once.
  case toldTwice(device: String, token: String)
  /// A write that is in the database, and told as rejected.
  case acceptedAndTold(device: String, token: String)
  /// A rejected write that nothing forbids.
  case rejectedWithoutReason(device: String, token: String)
  /// A write without the right to it in the database.
  case forbidden(token: String)
  /// A write that somebody has, and nobody wrote.
  case unknownWrite(place: String, token: String)
  /// A write whose call has thrown, and that is there.
  case failedButThere(place: String, token: String)
  /// An object or cell that a device and the database do not both have at the end.
  case different(device: String, what: String)
  /// A device that did not come to an end, or whose queue is not empty.
  case stuck(device: String)

  package var description: String {
    switch self {
    case .lost(let device, let token):
      "\(device): the write \(token) is lost: neither in the database nor told as rejected"
    case .doubled(let place, let half):
      "\(place): several objects are the half '\(half.part)' of \(half.token)"
    case .torn(let place, let token): "\(place): only one half of \(token) is there"
    case .tornCells(let place, let first, let stamps):
      "\(place): cells \(first) and \(first + 1) have the stamps \(stamps)"
    case .wentBack(let device, let token): "\(device): \(token) was seen, and is gone"
    case .stampWentBack(let device, let cell, let stamp):
      "\(device): cell \(cell) has the earlier stamp \(stamp) again"
    case .effectWithoutCause(let place, let effect, let cause):
      "\(place): \(effect) is there without \(cause), which its device had seen"
    case .untold(let device, let token):
      "\(device): \(token) left the store, and is not told as rejected"
    case .toldTwice(let device, let token): "\(device): the rejection of \(token) is told twice"
    case .acceptedAndTold(let device, let token):
      "\(device): \(token) is in the database, and told as rejected"
    case .rejectedWithoutReason(let device, let token):
      "\(device): \(token) is rejected, and nothing forbids it"
    case .forbidden(let token):
      "database: \(token) is there, and its device has no right to write it"
    case .unknownWrite(let place, let token): "\(place): \(token) is there, and nobody wrote it"
    case .failedButThere(let place, let token):
      "\(place): \(token) is there, and its call has thrown"
    case .different(let device, let what):
      "\(device): differs from the database at the end: \(what)"
    case .stuck(let device): "\(device): did not come to an end with an empty queue"
    }
  }
}
