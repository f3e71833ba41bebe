/// A value that takes no part in comparisons.
struct Uncompared<Value: Sendable>: Hashable, Sendable {
  var value: Value

  static func == (left: Self, right: Self) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
