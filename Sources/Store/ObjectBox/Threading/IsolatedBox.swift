/// A value of one isolation, which other threads pass on and the isolation takes out once.
///
/// After `take` the isolation releases the value, whichever thread releases the box.
///
/// Invariant of `@unchecked Sendable`: the value is put in and taken out only in its isolation.
package final class IsolatedBox<Value>: @unchecked Sendable {
  private let value: Guarded<Value?>

  package init(_ value: Value) {
    self.value = Guarded(value)
  }

  /// Returns the value, once; nil afterwards.
  func take() -> Value? { value.withLock { $0.take() } }
}
