/// A type of Foundation that is stored as another type: UUIDs as 16 bytes, URLs and decimals as
/// texts.
///
/// A row has everything that the generator knows about its type.
package struct EncodedType: Sendable {
  /// Name in Swift.
  var name: String
  /// The type of the stored bytes.
  var type: SchemaPropertyType
  /// External type that marks the values in the model; nil when the model only has their stored
  /// type.
  var externalType: UInt16?
  /// Argument label of the function that prepares values.
  var label = "encoded"
  /// True when values have an order of their own, which the runtime learns from the external type.
  var isOrdered = false
  /// Name of the type in reports.
  package var word: String
  /// Meaning of the stored values, for schemas.
  package var meaning: String
  /// JSON Schema format of the values; nil when there is none.
  package var format: String?

  static let all = [
    EncodedType(
      name: "UUID",
      type: .byteVector,
      externalType: ExternalTypeRule.number(of: "uuid"),
      label: "uuid",
      word: "uuid",
      meaning: "The 16 bytes of a UUID.",
      format: "uuid"
    ),
    EncodedType(
      name: "URL",
      type: .string,
      word: "url",
      meaning: "The text of a URL.",
      format: "uri-reference"
    ),
    EncodedType(
      name: "Decimal",
      type: .string,
      externalType: ExternalTypeRule.number(of: "decimal128"),
      isOrdered: true,
      word: "decimal",
      meaning: "A decimal number as text.",
      format: "decimal"
    ),
  ]
}

extension SchemaProperty {
  /// The Foundation type of the stored values, after conversion; nil for values stored in their own
  /// form.
  var encodedType: EncodedType? {
    let name = DeclaredType(storedType).name
    return EncodedType.all.first { $0.name == name && $0.type == type }
  }

  /// True when conditions and indexes treat the values as texts.
  var isText: Bool { type == .string && encodedType?.isOrdered != true }

  /// True when reading fails for a text that is no value of the type.
  var isCheckedText: Bool { type == .string && encodedType != nil }
}
