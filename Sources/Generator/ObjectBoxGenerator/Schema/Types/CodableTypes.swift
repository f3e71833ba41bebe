/// The types that the annotation `codable` certainly can store: types of the sources that state the
/// conformance, and types of Swift's libraries made of such types.
struct CodableTypes {
  let names: DeclaredNames
  /// Qualified name of the type around the property.
  let owner: String

  private static let standard: Set<String> = [
    "AttributedString", "Bool", "CGFloat", "CGPoint", "CGRect", "CGSize", "Calendar",
    "CharacterSet", "Data", "Date", "DateComponents", "DateInterval", "Decimal", "Double",
    "Duration", "Float", "IndexPath", "IndexSet", "Int", "Int16", "Int32", "Int64", "Int8",
    "Locale", "PersonNameComponents", "String", "TimeInterval", "TimeZone", "UInt", "UInt16",
    "UInt32", "UInt64", "UInt8", "URL", "UUID",
  ]
  /// Generic types that are codable if their arguments are.
  private static let generic = [
    "Array", "ClosedRange", "ContiguousArray", "Dictionary", "Optional", "Range", "Set",
  ]

  func contains(_ type: DeclaredType) -> Bool {
    let name = names.resolve(type, in: owner).name
    if names.isDeclared(name) { return names.statesCodable(name) }
    if Self.standard.contains(name) { return true }
    if name.hasPrefix("["), name.hasSuffix("]") {
      return containsAll(in: name.dropFirst().dropLast(), separator: ":")
    }
    return Self.generic.contains { generic in
      DeclaredType.argument(of: generic, in: name).map {
        containsAll(in: $0[...], separator: ",")
      } == true
    }
  }

  /// Returns whether all types of a list are codable; the separator counts outside of brackets.
  private func containsAll(in list: Substring, separator: Character) -> Bool {
    var depth = 0
    let parts = list.split(omittingEmptySubsequences: false) { character in
      if "[<(".contains(character) { depth += 1 }
      if "]>)".contains(character) { depth -= 1 }
      return depth == 0 && character == separator
    }
    return parts.allSatisfy { contains(DeclaredType(String($0))) }
  }
}
