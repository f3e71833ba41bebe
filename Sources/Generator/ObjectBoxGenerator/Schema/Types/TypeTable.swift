/// Maps Swift types to property types.
enum TypeTable {
  struct Entry {
    var type: SchemaPropertyType
    var isUnsigned = false
    /// External type of the values, unless an annotation states another.
    var externalType: UInt16?
  }

  /// Returns the entry of a Swift type without optionality; nil for a type that cannot be stored.
  static func entry(_ name: String) -> Entry? {
    let name = DeclaredType(name).name
    if let entry = table[name] { return entry }
    if let encoded = EncodedType.all.first(where: { $0.name == name }) {
      return Entry(type: encoded.type, externalType: encoded.externalType)
    }
    if DeclaredType.argument(of: "EntityId", in: name) != nil { return Entry(type: .long) }
    return nil
  }

  /// Types of the runtime whose property type only the runtime knows.
  static let runtimeTypes: Set<String> = ["Byte"]

  private static let table: [String: Entry] = [
    "Bool": Entry(type: .bool),
    "Int8": Entry(type: .byte),
    "UInt8": Entry(type: .byte, isUnsigned: true),
    "Int16": Entry(type: .short),
    "UInt16": Entry(type: .short, isUnsigned: true),
    "Int32": Entry(type: .int),
    "UInt32": Entry(type: .int, isUnsigned: true),
    "Int": Entry(type: .long),
    "UInt": Entry(type: .long, isUnsigned: true),
    "Int64": Entry(type: .long),
    "UInt64": Entry(type: .long, isUnsigned: true),
    "Id": Entry(type: .long),
    "Float": Entry(type: .float),
    "Double": Entry(type: .double),
    "TimeInterval": Entry(type: .double),
    "NSTimeInterval": Entry(type: .double),
    "String": Entry(type: .string),
    "NSString": Entry(type: .string),
    "Date": Entry(type: .date),
    "NSDate": Entry(type: .date),
    "Data": Entry(type: .byteVector),
    "NSData": Entry(type: .byteVector),
    "[UInt8]": Entry(type: .byteVector),
    "[Int32]": Entry(type: .intVector),
    "[Int64]": Entry(type: .longVector),
    "[Float]": Entry(type: .floatVector),
    "[String]": Entry(type: .stringVector),
  ]
}
