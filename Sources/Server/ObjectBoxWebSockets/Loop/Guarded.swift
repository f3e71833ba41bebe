internal import Foundation

/// A value that a lock protects.
///
/// The same as ObjectBox's `Guarded`, which this module cannot use. On Linux the thread sanitizer reports each use of
/// the standard library's `Mutex` as a race.
///
/// Invariant of `@unchecked Sendable`: `value` is accessed only inside `withLock`. The result of a body contains no
/// part of the value, unless the part is `Sendable` or only one thread uses it.
final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) {
    self.value = value
  }

  /// Runs a body that may read and change the value; it must not call this function again.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
