/// A value that comparisons ignore.
struct IgnoredInEquality<Value: Sendable>: Hashable, Sendable {
  var value: Value

  static func == (left: Self, right: Self) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
