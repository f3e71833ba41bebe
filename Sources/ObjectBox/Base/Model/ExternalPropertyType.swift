/// The type that a property or relation has outside of the store, in another database for example.
///
/// The numbers are part of model.json and of the store file; the store itself does nothing with them.
public enum ExternalPropertyType: UInt16, NumberedEnumeration, CaseIterable, Sendable {
  case unknown = 0
  case int128 = 100
  case reserved1 = 101
  case uuid = 102
  case decimal128 = 103
  case uuidString = 104
  case uuidV4 = 105
  case uuidV4String = 106
  case flexMap = 107
  case flexVector = 108
  case json = 109
  case bson = 110
  case javaScript = 111
  case jsonToNative = 112
  case reserved6 = 113
  case reserved7 = 114
  case reserved8 = 115
  case int128Vector = 116
  case reserved9 = 117
  case uuidVector = 118
  case reserved10 = 119
  case reserved11 = 120
  case reserved12 = 121
  case reserved13 = 122
  case mongoId = 123
  case mongoIdVector = 124
  case mongoTimestamp = 125
  case mongoBinary = 126
  case mongoRegex = 127
}
