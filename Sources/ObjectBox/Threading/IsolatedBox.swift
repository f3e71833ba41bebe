/// A value of one isolation that other threads carry, and that is taken out once.
///
/// Taking the value out makes its isolation release it, whichever thread releases the box.
///
/// Invariant of `@unchecked Sendable`: the value is put in and taken out in its isolation only.
package final class IsolatedBox<Value>: @unchecked Sendable {
  private let value: Guarded<Value?>

  package init(_ value: Value) {
    self.value = Guarded(value)
  }

  /// Returns the value, once; nil afterwards.
  func take() -> Value? {
    value.withLock { value in
      defer { value = nil }
      return value
    }
  }
}
