import Foundation

/// A JSON value, as in the texts beside the store fixtures.
///
/// Floating point numbers are texts, since JSON has neither NaN nor infinity.
package enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number above the range of `Int64`.
  case unsigned(UInt64)
  case text(String)
  case array([JSON])
  case object([String: JSON])

  /// Makes a number in its only form.
  package init(_ number: some BinaryInteger) {
    self = Int64(exactly: number).map { .integer($0) } ?? .unsigned(UInt64(number))
  }

  package var members: [String: JSON] {
    if case .object(let members) = self { members } else { [:] }
  }

  package var elements: [JSON] {
    if case .array(let elements) = self { elements } else { [] }
  }

  package var string: String? {
    if case .text(let text) = self { text } else { nil }
  }

  package var int: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }
}

extension JSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(stringLiteral value: String) { self = .text(value) }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements) { $1 })
  }
}

extension JSON: Codable {
  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? value.decode(Int64.self) {
      self = .integer(number)
    } else if let number = try? value.decode(UInt64.self) {
      self = .unsigned(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let elements = try? value.decode([JSON].self) {
      self = .array(elements)
    } else {
      self = .object(try value.decode([String: JSON].self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let bool): try value.encode(bool)
    case .integer(let number): try value.encode(number)
    case .unsigned(let number): try value.encode(number)
    case .text(let text): try value.encode(text)
    case .array(let elements): try value.encode(elements)
    case .object(let members): try value.encode(members)
    }
  }

  /// Returns the JSON text with sorted keys; values deeper than `depth` are on one line.
  package func text(depth: Int = 4, indent: String = "") throws -> String {
    let inner = indent + "  "
    switch self {
    case .object(let members) where depth > 0 && !members.isEmpty:
      let keys = members.keys.sorted { ($0.count, $0) < ($1.count, $1) }
      let lines = try keys.map { key in
        let name = try JSON.text(key).text(depth: 0)
        return inner + name + ": "
          + (try (members[key] ?? .null).text(depth: depth - 1, indent: inner))
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n" + indent + "}"
    case .array(let elements) where depth > 0 && !elements.isEmpty:
      let lines = try elements.map { inner + (try $0.text(depth: 0)) }
      return "[\n" + lines.joined(separator: ",\n") + "\n" + indent + "]"
    default:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}
