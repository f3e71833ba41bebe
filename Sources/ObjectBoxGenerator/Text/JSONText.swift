internal import ObjectBoxJSON

/// Writes pieces of JSON on one line.
enum JSONText {
  /// A text with its quotes.
  static func literal(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// An object of keys and values that are JSON already.
  static func object(_ members: [(String, String)]) -> String {
    let list = members.map { "\(literal($0.0)): \($0.1)" }
    return list.isEmpty ? "{}" : "{ \(list.joined(separator: ", ")) }"
  }

  /// A name as a step of a JSON pointer in the fragment of a reference.
  static func pointer(_ name: String) -> String {
    var result = ""
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "~"): result += "~0"
      case UInt8(ascii: "/"): result += "~1"
      case UInt8(ascii: "-"), UInt8(ascii: "."),
        _ where SourceBytes.isASCIIWord(byte):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return result
  }
}
