internal import ObjectBoxGenerator

/// The JSON Schema of a value, as its keywords.
struct JSONValueType {
  /// Value of the keyword `type`.
  private var name: String
  private var isNullable = false
  /// Keywords after the type, with JSON values.
  private var further: [(String, String)] = []

  /// All keywords, with JSON values.
  var members: [(String, String)] {
    let type = JSONText.literal(name)
    return [("type", isNullable ? "[\(type), \"null\"]" : type)] + further
  }

  /// The same type, with null allowed.
  var orNull: Self {
    var type = self
    type.isNullable = true
    return type
  }

  private init(_ name: String, _ further: [(String, String)] = []) {
    self.name = name
    self.further = further
  }

  /// Integers between two bounds, given as digits.
  static func range(_ least: String, _ greatest: String) -> Self {
    Self("integer", [("minimum", least), ("maximum", greatest)])
  }

  private static func integer<T: FixedWidthInteger>(_ type: T.Type) -> Self {
    range("\(T.min)", "\(T.max)")
  }

  /// Texts, with the name of a format if there is one.
  static func text(format: String?) -> Self {
    Self("string", format.map { [("format", JSONText.literal($0))] } ?? [])
  }

  /// Makes the schema of a property type's values.
  init(_ type: SchemaPropertyType, isUnsigned: Bool) {
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
