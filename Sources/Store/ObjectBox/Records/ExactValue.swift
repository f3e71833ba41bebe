/// The value of a property exactly as its record holds it.
package enum ExactValue {
  case null
  /// An integer of any width, sign-extended; also a Boolean, a date, or the target ID of a to-one
  /// relation.
  case integer(Int64)
  case float(Float)
  case double(Double)
  /// The bytes of a string, byte vector or vector; valid as long as the record.
  case bytes(UnsafeRawBufferPointer)
}

extension RecordReader {
  /// The ID of the object.
  package var objectID: UInt64 { id }

  /// Returns the value of a property; null for a property that the record's layout lacks.
  ///
  /// The value is valid only while the reader is.
  package func exact(_ property: PropertySchema) -> ExactValue {
    let field = field(propertyID: property.identity.id)
    switch field.kind {
    case .absent, .objectID: return .null
    case .integer8, .integer16, .integer32, .integer64:
      return integer(field).map { .integer($0) } ?? .null
    case .float32:
      guard isPresent(field) else { return .null }
      return .float(Float(bitPattern: bits(field, as: UInt32.self)))
    case .float64: return double(field).map { .double($0) } ?? .null
    case .variable, .firstVariable: return bytes(field).map { .bytes($0) } ?? .null
    }
  }
}

extension FlatBufferBuilder {
  /// Makes the record of an object from single values.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - id: The ID of the object.
  ///   - stored: A record of the object, for the values that are not set; nil to make them null.
  ///   - fill: Receives a function that sets the value of a property.
  /// - Returns: The bytes of the record, valid until the next use of the builder.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for a value that cannot be stored; the error of `fill`.
  package func record(
    of entity: EntitySchema,
    id: UInt64,
    keeping stored: RecordReader?,
    _ fill: (_ set: (PropertySchema, ExactValue) -> Void) throws -> Void
  ) throws -> UnsafeRawBufferPointer {
    try record(of: entity, id: id) {
      var taken: Set<UInt32> = []
      try fill { property, value in
        if stored != nil { taken.insert(property.identity.id) }
        collect(value, of: property)
      }
      guard let stored else { return }
      for property in entity.properties
      where !property.has(.id) && !taken.contains(property.identity.id) {
        scratch.copy(propertyID: property.identity.id, from: stored)
      }
    }
  }

  /// Takes the value of a property in the form that ``RecordReader/exact(_:)`` returns it.
  package func collect(_ value: ExactValue, of property: PropertySchema) {
    let slot = UInt16(2 + 2 * property.identity.id)
    switch value {
    case .null: break
    case .integer(let number): collect(integer: number, at: slot)
    case .float(let number): collect(float: number, at: slot)
    case .double(let number): collect(double: number, at: slot)
    case .bytes(let bytes): collect(dataOffset: scratch.append(bytes), at: slot)
    }
  }
}
