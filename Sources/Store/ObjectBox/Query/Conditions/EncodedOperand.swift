/// Encoded values as the operand of a condition.
@usableFromInline
package struct EncodedOperand: Sendable, Hashable {
  package let type: any EncodedValue.Type
  /// Descriptions of the values.
  package let words: [String]
  /// The bytes of the values; nil for a value that cannot be stored.
  private let encodings: [[UInt8]?]

  init<V: EncodedValue>(_ values: [V]) {
    type = V.self
    words = values.map { "\($0)" }
    encodings = values.map(\.encoding)
  }

  /// Returns whether a property can hold such values.
  package func fits(_ property: PropertySchema) -> Bool {
    let collation = type.__collation
    return type.entityPropertyType == property.type
      && (property.collation == collation
        || !property.collation.decidesOrder && !collation.decidesOrder)
  }

  /// Returns the stored form of the values.
  ///
  /// - Parameter property: The property, for messages.
  /// - Returns: The bytes of each value.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for a value that cannot be stored.
  package func bytes(for property: PropertySchema) throws -> [[UInt8]] {
    try zip(encodings, words).map { encoding, words in
      guard let encoding else {
        throw ObjectBoxError.illegalArgument(
          message:
            "a condition compares '\(property.name)' with the \(type) \(words), which no record holds; "
            + "compare it with another value, or with null"
        )
      }
      return encoding
    }
  }

  @usableFromInline
  package static func == (left: Self, right: Self) -> Bool {
    left.type == right.type && left.encodings == right.encodings && left.words == right.words
  }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type))
    hasher.combine(encodings)
  }
}

extension PropertyCondition.Operand {
  /// Makes an operand of encoded values; values that compare as texts become texts.
  package static func values<V: EncodedValue>(_ values: [V]) -> Self {
    guard V.entityPropertyType == .string, !V.__collation.decidesOrder else {
      return .encoded(EncodedOperand(values))
    }
    return .texts(values.map { String(decoding: $0.encoding ?? [], as: UTF8.self) })
  }
}

extension EncodedValue {
  /// Returns an operand of values of this type; nil when a value has another type.
  package static func operand(_ values: [Any]) -> PropertyCondition.Operand? {
    (values as? [Self]).map(PropertyCondition.Operand.values)
  }

  /// Returns an operand of values parsed from texts; nil when a text is not a value.
  package static func operand(texts: [String]) -> PropertyCondition.Operand? {
    operand(texts.map { Self.value(in: $0) as Any })
  }

  /// Returns the value of a text; nil when the text is not a value.
  package static func value(in text: String) -> Self? {
    var text = text
    return text.withUTF8 { __decode(UnsafeRawBufferPointer($0)) }
  }
}
