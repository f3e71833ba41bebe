internal import Foundation
package import ObjectBox

/// The JSON form of a property's values; each stored value has exactly one form.
///
/// | form | JSON |
/// |---|---|
/// | null | left out |
/// | Boolean | `true`, `false` |
/// | whole number, date, to-one relation | a number; dates count milliseconds or nanoseconds since 1970, relations are IDs |
/// | floating point number | the shortest number that is read as the same; `"NaN"`, `"Infinity"`, `"-Infinity"`; any other not-a-number as its bits, `"0x7ff0000000000001"` |
/// | string, decimal | a text |
/// | bytes | a text in Base64; of a UUID its usual form |
/// | vector | an array |
/// | bytes that are no value of the type | `{"hex":"…"}` |
package enum ValueForm: Hashable, Sendable {
  /// Integers with a number of bytes.
  case integer(size: Int, isUnsigned: Bool)
  case boolean
  case float
  case double
  case text
  /// A text that is a decimal number.
  case decimal
  case bytes
  case uuid
  case booleans
  /// A vector of integers with a number of bytes each.
  case integers(size: Int, isUnsigned: Bool)
  case floats
  case doubles
  case texts

  /// Returns the form of a property's values.
  package init(_ property: PropertySchema) {
    let isUnsigned = property.has(.unsigned)
    switch property.type {
    case .bool: self = .boolean
    case .byte, .unknown: self = .integer(size: 1, isUnsigned: isUnsigned)
    case .short, .char: self = .integer(size: 2, isUnsigned: isUnsigned)
    case .int: self = .integer(size: 4, isUnsigned: isUnsigned)
    case .long: self = .integer(size: 8, isUnsigned: isUnsigned)
    case .date, .dateNano: self = .integer(size: 8, isUnsigned: false)
    case .relation: self = .integer(size: 8, isUnsigned: true)
    case .float: self = .float
    case .double: self = .double
    case .string: self = property.encodedType == Decimal.self ? .decimal : .text
    case .flex: self = .bytes
    case .byteVector: self = Self.isUUID(property) ? .uuid : .bytes
    case .boolVector: self = .booleans
    case .shortVector, .charVector: self = .integers(size: 2, isUnsigned: isUnsigned)
    case .intVector: self = .integers(size: 4, isUnsigned: isUnsigned)
    case .longVector: self = .integers(size: 8, isUnsigned: isUnsigned)
    case .dateVector, .dateNanoVector: self = .integers(size: 8, isUnsigned: false)
    case .floatVector: self = .floats
    case .doubleVector: self = .doubles
    case .stringVector: self = .texts
    }
  }

  /// True for texts, and for decimals, which are stored as texts.
  var isText: Bool { self == .text || self == .decimal }

  private static func isUUID(_ property: PropertySchema) -> Bool {
    let types: [ExternalPropertyType] = [.uuid, .uuidV4]
    return types.contains { UInt32($0.rawValue) == property.externalType }
  }
}
