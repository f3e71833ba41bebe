/// Describes traits of properties for findings and reports.
package enum PropertyWords {
  /// The database type, such as `string`, `unsigned long` or `byteVector (uuid)`.
  package static func type(_ property: ModelDocument.Property) -> String {
    let form = type(property.type, isUnsigned: property.flags.contains(.unsigned))
    return property.encodedType.map { "\(form) (\($0.word))" } ?? form
  }

  static func type(_ number: UInt16?, isUnsigned: Bool) -> String {
    guard let number else { return "left to the program" }
    let name = SchemaPropertyType(rawValue: number).map { "\($0)" } ?? "number \(number)"
    return isUnsigned ? "unsigned \(name)" : name
  }

  /// The kind of the index; `none` without an index.
  package static func index(_ property: ModelDocument.Property) -> String {
    guard property.indexID != nil || property.flags.contains(.indexed) else { return "none" }
    var words =
      property.flags.contains(.indexHash)
      ? "hash" : property.flags.contains(.indexHash64) ? "hash64" : "value"
    if property.flags.contains(.indexPartialSkipNull) { words += " without null" }
    if property.flags.contains(.indexPartialSkipZero) { words += " without zero" }
    if property.collation == .nocase { words += " ignoring case" }
    if let encoded = property.encodedType, encoded.isOrdered { words += " of \(encoded.word)s" }
    return words
  }

  package static func unique(_ flags: PropertyFlags) -> String {
    if flags.contains(.uniqueOnConflictMerge) { return "unique, merging on conflict" }
    return flags.contains(.uniqueOnConflictReplace)
      ? "unique, replacing on conflict" : flags.contains(.unique) ? "unique" : "not unique"
  }

  package static func quoted(_ text: String?) -> String { text.map { "'\($0)'" } ?? "none" }
}

extension ModelDocument.Property {
  /// The type of encoded values, if the model states it.
  package var encodedType: EncodedType? {
    guard let externalType else { return nil }
    return EncodedType.all.first { $0.type.rawValue == type && $0.externalType == externalType }
  }
}

extension FlagNames {
  /// Describes the flags of an entity for reports; `none` if it is empty.
  static func words(of flags: EntityFlags) -> String {
    flags.isEmpty ? "none" : "\(flags.rawValue) (\(list(of: flags)))"
  }

  /// Describes the flags of a property for reports; `none` if it is empty.
  static func words(of flags: PropertyFlags) -> String {
    flags.isEmpty ? "none" : "\(flags.rawValue) (\(list(of: flags)))"
  }
}
