/// The value of a property exactly as its record holds it, independent of the record.
package enum StoredValue: Hashable, Sendable, Codable {
  case null
  case integer(Int64)
  /// The bits of a number, since JSON has no infinity.
  case float(UInt32)
  case double(UInt64)
  case bytes([UInt8])

  /// Copies a value of a record.
  package init(_ value: ExactValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .float(let number): .float(number.bitPattern)
      case .double(let number): .double(number.bitPattern)
      case .bytes(let bytes): .bytes([UInt8](bytes))
      }
  }

  /// Passes the value in the form that records take to a body.
  package func withExactValue<T>(_ body: (ExactValue) throws -> T) rethrows -> T {
    switch self {
    case .null: try body(.null)
    case .integer(let number): try body(.integer(number))
    case .float(let bits): try body(.float(Float(bitPattern: bits)))
    case .double(let bits): try body(.double(Double(bitPattern: bits)))
    case .bytes(let bytes): try bytes.withUnsafeBytes { try body(.bytes($0)) }
    }
  }

  /// Returns whether a property can have the value.
  package func fits(_ property: PropertySchema) -> Bool {
    let kind = RecordField.Kind(type: property.type)
    return switch self {
    case .null: true
    case .integer: kind.isInteger
    case .float: kind == .float32
    case .double: kind == .float64
    case .bytes: kind.isVariable
    }
  }
}
