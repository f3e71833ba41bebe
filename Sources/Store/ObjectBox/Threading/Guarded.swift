internal import Foundation

/// A value behind a lock.
///
/// It replaces the standard library's `Mutex`: on Linux the thread sanitizer does not know its
/// lock, and reports each use of a `Mutex` as a race.
///
/// Invariant of `@unchecked Sendable`: `value` is touched only inside `withLock`. The result of a
/// body contains no part of the value, unless the part is `Sendable` or only one thread uses it.
/// Exclusive access is unchecked: accesses cannot overlap, because a body that calls `withLock`
/// again deadlocks.
package final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  @exclusivity(unchecked) private var value: Value

  package init(_ value: Value) {
    self.value = value
  }

  /// Runs a body that may read and change the value; it must not call this function again.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }

  /// A copy of the value.
  package var copy: Value { withLock { $0 } }

  /// Sets the value to nil and returns the old value.
  ///
  /// The caller releases it outside of the lock: a deinitializer may take the lock.
  package func take<Wrapped>() -> Wrapped? where Value == Wrapped? { withLock { $0.take() } }
}
