internal import Foundation

extension NSLock? {
  /// Runs a call of LMDB while no other thread runs one in the same shared read transaction.
  ///
  /// Other transactions have no lock, and cost one test for nil.
  @inline(__always)
  func calling<T>(_ body: () -> T) -> T {
    guard let lock = self else { return body() }
    lock.lock()
    defer { lock.unlock() }
    return body()
  }
}
