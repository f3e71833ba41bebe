/// A value of one isolation that other threads carry without touching it.
///
/// Taking the value out ends its life in its isolation, whichever thread lets the box go last.
///
/// Invariant of `@unchecked Sendable`: the value is put in and taken out in its isolation only.
final class IsolatedBox<Value>: @unchecked Sendable {
  private let value: Guarded<Value?>

  init(_ value: Value) {
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
