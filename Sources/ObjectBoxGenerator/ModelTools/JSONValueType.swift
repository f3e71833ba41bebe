/// The schema of a value in JSON, as its keywords.
struct JSONValueType {
  /// The name that the keyword `type` takes.
  private var name: String
  private var isNullable = false
  /// The keywords behind the type, with JSON values.
  private var further: [(String, String)] = []

  /// Keywords with their values as JSON.
  var members: [(String, String)] {
    let type = JSONText.literal(name)
    return [("type", isNullable ? "[\(type), \"null\"]" : type)] + further
  }

  /// The same type with null allowed.
  var orNull: Self {
    var type = self
    type.isNullable = true
    return type
  }

  private init(_ name: String, _ further: [(String, String)] = []) {
    self.name = name
    self.further = further
  }

  /// Whole numbers between two bounds, given as digits.
  static func range(_ least: String, _ greatest: String) -> Self {
    Self("integer", [("minimum", least), ("maximum", greatest)])
  }

  private static func integer<T: FixedWidthInteger>(_ type: T.Type) -> Self {
    range("\(T.min)", "\(T.max)")
  }

  /// Texts of a format, if it has a name.
  static func text(format: String?) -> Self {
    Self("string", format.map { [("format", JSONText.literal($0))] } ?? [])
  }

  /// The schema of the values of a property type.
  init(_ type: PropertyType, isUnsigned: Bool) {
    if let element = type.element {
      let items = Self(element, isUnsigned: isUnsigned).members
      self.init("array", [("items", JSONText.object(items))])
      return
    }
    self =
      switch type {
      case .bool: Self("boolean")
      case .byte: isUnsigned ? Self.integer(UInt8.self) : Self.integer(Int8.self)
      case .short: isUnsigned ? Self.integer(UInt16.self) : Self.integer(Int16.self)
      case .char: Self.integer(UInt16.self)
      case .int: isUnsigned ? Self.integer(UInt32.self) : Self.integer(Int32.self)
      case .long: isUnsigned ? Self.integer(UInt64.self) : Self.integer(Int64.self)
      case .float, .double: Self("number")
      case .date, .dateNano: Self.integer(Int64.self)
      case .relation: Self.integer(UInt64.self)
      case .flex, .byteVector: Self("string", [("contentEncoding", JSONText.literal("base64"))])
      default: Self("string")
      }
  }
}
