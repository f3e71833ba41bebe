/// The type of a property in the database.
///
/// The numbers are part of model.json and of the store file.
public enum PropertyType: UInt16, NumberedEnumeration, CaseIterable, Sendable {
  /// No type.
  case unknown = 0
  /// A Boolean, one byte.
  case bool = 1
  /// An integer of 8 bits.
  case byte = 2
  /// An integer of 16 bits.
  case short = 3
  /// A character of 16 bits.
  case char = 4
  /// An integer of 32 bits.
  case int = 5
  /// An integer of 64 bits.
  case long = 6
  /// A floating point number of 32 bits.
  case float = 7
  /// A floating point number of 64 bits.
  case double = 8
  /// A text in UTF-8.
  case string = 9
  /// A date, in milliseconds since 1970.
  case date = 10
  /// A to-one relation: the ID of its target.
  case relation = 11
  /// A date, in nanoseconds since 1970.
  case dateNano = 12
  /// A value in the form of FlexBuffers.
  case flex = 13
  /// A vector of Booleans.
  case boolVector = 22
  /// Bytes.
  case byteVector = 23
  /// A vector of integers of 16 bits.
  case shortVector = 24
  /// A vector of characters of 16 bits.
  case charVector = 25
  /// A vector of integers of 32 bits.
  case intVector = 26
  /// A vector of integers of 64 bits.
  case longVector = 27
  /// A vector of floating point numbers of 32 bits.
  case floatVector = 28
  /// A vector of floating point numbers of 64 bits.
  case doubleVector = 29
  /// A vector of texts.
  case stringVector = 30
  /// A vector of dates in milliseconds.
  case dateVector = 31
  /// A vector of dates in nanoseconds.
  case dateNanoVector = 32
}
