internal import Foundation

extension NSLock? {
  /// Runs a call of LMDB while no other thread makes one in the same shared read transaction.
  ///
  /// Other transactions have no lock; the check for nil is their only cost.
  @inline(__always)
  func calling<T>(_ body: () -> T) -> T {
    guard let lock = self else { return body() }
    lock.lock()
    defer { lock.unlock() }
    return body()
  }
}
