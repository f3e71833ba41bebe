/// Values in words, for messages.
extension RecordReader {
  /// Maximum number of characters of a value in a message.
  static let longestValue = 100

  /// Returns the values of properties in words; long values are cut.
  package func words(of properties: [PropertySchema]) -> String {
    properties.map(words(of:)).joined(separator: " and ")
  }

  private func words(of property: PropertySchema) -> String {
    let field = field(propertyID: property.identity.id)
    guard let bytes = bytes(field) else {
      if let integer = integer(field) {
        return property.has(.unsigned) ? "\(UInt64(bitPattern: integer))" : "\(integer)"
      }
      return double(field).map { "\($0)" } ?? "the same value"
    }
    if let value = property.encodedType?.value(in: bytes) { return "\(value)" }
    guard property.type == .string else { return "the same \(bytes.count) bytes" }
    let value = String(decoding: bytes, as: UTF8.self)
    // Counting characters is expensive, and a text has at most as many characters as bytes.
    let isShort = bytes.count <= Self.longestValue || value.count <= Self.longestValue
    let shown = isShort ? value : "\(value.prefix(Self.longestValue))…"
    return property.collation == .nocase ? "'\(shown)', where case does not count" : "'\(shown)'"
  }
}
