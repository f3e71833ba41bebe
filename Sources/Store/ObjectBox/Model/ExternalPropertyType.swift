/// The type of a property or relation outside of the store, such as in another database.
///
/// The numbers are part of model.json and of the store file. The store uses only `decimal128`,
/// `uuid` and `uuidV4` itself.
public enum ExternalPropertyType: UInt16, NumberedEnumeration, CaseIterable, Sendable {
  /// No type outside of the store.
  case unknown = 0
  /// A signed integer of 128 bits, kept as bytes.
  case int128 = 100
  /// Not in use.
  case reserved1 = 101
  /// A UUID, kept as 16 bytes.
  case uuid = 102
  /// A decimal number, kept as text or bytes; texts compare as numbers.
  case decimal128 = 103
  /// A UUID, kept as text.
  case uuidString = 104
  /// A random UUID (version 4), kept as 16 bytes.
  case uuidV4 = 105
  /// A random UUID (version 4), kept as text.
  case uuidV4String = 106
  /// A map in the form of FlexBuffers.
  case flexMap = 107
  /// A vector in the form of FlexBuffers.
  case flexVector = 108
  /// JSON text.
  case json = 109
  /// BSON bytes.
  case bson = 110
  /// JavaScript source text.
  case javaScript = 111
  /// JSON text that the other database keeps as a value of its own type.
  case jsonToNative = 112
  /// Not in use.
  case reserved6 = 113
  /// Not in use.
  case reserved7 = 114
  /// Not in use.
  case reserved8 = 115
  /// A vector of integers of 128 bits.
  case int128Vector = 116
  /// Not in use.
  case reserved9 = 117
  /// A vector of UUIDs.
  case uuidVector = 118
  /// Not in use.
  case reserved10 = 119
  /// Not in use.
  case reserved11 = 120
  /// Not in use.
  case reserved12 = 121
  /// Not in use.
  case reserved13 = 122
  /// A MongoDB object ID, kept as 12 bytes.
  case mongoId = 123
  /// A vector of MongoDB object IDs.
  case mongoIdVector = 124
  /// A MongoDB timestamp.
  case mongoTimestamp = 125
  /// MongoDB binary data with a subtype.
  case mongoBinary = 126
  /// A MongoDB regular expression with its options.
  case mongoRegex = 127
}
