/// A type of Foundation whose values are kept in the form of another type: UUIDs as 16 bytes, URLs and decimals
/// as texts.
///
/// The row of a type is all that the generator knows about it.
struct EncodedType: Sendable {
  /// The name in Swift.
  var name: String
  /// The type of the bytes that are kept.
  var type: PropertyType
  /// The mark of the values in the model; nil when the model tells no more than their form.
  var externalType: UInt16?
  /// The label of the function that prepares values.
  var label = "encoded"
  /// True when the values have an order of their own, which needs the external type.
  var isOrdered = false
  /// The type as reports call it.
  var word: String
  /// The values in words, for schemas.
  var meaning: String
  /// The format of the values in JSON; nil for none that has a name.
  var format: String?

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
  /// The type of the values, declared so or after conversion, when they are kept in another form.
  var encodedType: EncodedType? {
    let name = DeclaredType(storedType).name
    return EncodedType.all.first { $0.name == name && $0.type == type }
  }

  /// True when conditions and indexes take the values for texts.
  var isText: Bool { type == .string && encodedType?.isOrdered != true }

  /// True when reading fails for a text that is no value of the type.
  var isCheckedText: Bool { type == .string && encodedType != nil }
}
