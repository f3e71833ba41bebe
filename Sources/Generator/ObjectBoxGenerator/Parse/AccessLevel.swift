/// An access level that generated declarations can have.
package enum AccessLevel: String, CaseIterable, Comparable, Sendable {
  case `internal`, `package`, `public`

  package static func < (left: Self, right: Self) -> Bool {
    left != right && (left == .internal || right == .public)
  }
}
