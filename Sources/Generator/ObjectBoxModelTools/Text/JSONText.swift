internal import ObjectBoxGenerator
internal import ObjectBoxJSON

/// Writes pieces of JSON on one line.
enum JSONText {
  /// Returns a JSON string with its quotes.
  static func literal(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Returns a JSON object; the values must be JSON already.
  static func object(_ members: [(String, String)]) -> String {
    let list = members.map { "\(literal($0.0)): \($0.1)" }
    return list.isEmpty ? "{}" : "{ \(list.joined(separator: ", ")) }"
  }

  /// Returns a name as a step of a JSON pointer in a URI fragment.
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
