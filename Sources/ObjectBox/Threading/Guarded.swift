internal import Foundation

/// A value behind a lock.
///
/// It replaces the standard library's `Mutex`, whose lock the thread sanitizer does not see on Linux: there
/// it reports every use of a `Mutex` as a race, and hides the true ones among them.
///
/// Invariant of `@unchecked Sendable`: `value` is touched inside `withLock` only, and the result of a body
/// has no part of the value, unless that is `Sendable` or used by one thread. No two accesses overlap, since a body
/// that called `withLock` again would wait for itself: checks of exclusive access would find nothing.
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

  /// Sets the value to nil, and releases the old one outside of the lock, since deinitializers may take it.
  package func clear<Wrapped>() where Value == Wrapped? {
    let old = withLock { value in
      defer { value = nil }
      return value
    }
    withExtendedLifetime(old) {}
  }
}
