internal import Foundation

/// A value that one thread at a time may touch.
///
/// It stands in for the standard library's `Mutex`, whose lock the thread sanitizer does not see on
/// Linux: every use of it is reported as a race there, and true races drown.
///
/// Invariant of `@unchecked Sendable`: `value` is touched inside `withLock` only, and what a body
/// returns holds no part of the value that is not `Sendable` or used by one thread.
package final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) {
    self.value = value
  }

  /// Runs a body that may read and change the value; it must not call this function again.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }

  /// The value of this moment.
  var copy: Value { withLock { $0 } }

  /// Sets the value to nil, and releases the old one outside of the lock: objects that it holds may end.
  func clear<Wrapped>() where Value == Wrapped? {
    let old = withLock { value in
      defer { value = nil }
      return value
    }
    withExtendedLifetime(old) {}
  }
}
