internal import Foundation

/// The claims of a token as texts and lists of texts.
struct TokenClaims {
  private(set) var texts: [String: String] = [:]
  private(set) var lists: [String: [String]] = [:]

  /// Reads the claims of a token; a member of a nested object gets the names of both.
  init(_ claims: [String: Any]) { add(claims, after: "") }

  private mutating func add(_ claims: [String: Any], after prefix: String) {
    for (key, value) in claims {
      let name = prefix + key
      if let text = Self.text(value) {
        texts[name] = text
      } else if let list = value as? [Any] {
        lists[name] = list.compactMap(Self.text)
      } else if let object = value as? [String: Any] {
        add(object, after: name + ".")
      }
    }
  }

  private static func text(_ value: Any) -> String? {
    (value as? String) ?? (value as? NSNumber)?.stringValue
  }
}
