/// The type of a property in the database.
///
/// The numbers are part of model.json and of the store file.
public enum PropertyType: UInt16, NumberedEnumeration, CaseIterable, Sendable {
  case unknown = 0
  case bool = 1
  case byte = 2
  case short = 3
  case char = 4
  case int = 5
  case long = 6
  case float = 7
  case double = 8
  case string = 9
  case date = 10
  case relation = 11
  case dateNano = 12
  case flex = 13
  case boolVector = 22
  case byteVector = 23
  case shortVector = 24
  case charVector = 25
  case intVector = 26
  case longVector = 27
  case floatVector = 28
  case doubleVector = 29
  case stringVector = 30
  case dateVector = 31
  case dateNanoVector = 32
}
