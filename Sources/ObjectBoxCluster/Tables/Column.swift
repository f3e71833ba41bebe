internal import ObjectBox

/// A column of the table of an entity, which holds a property.
struct Column: Sendable {
  let property: PropertySchema
  let kind: ColumnKind
  /// The name in SQL, quoted.
  let name: String
  /// The name of the column with the folded text, by which texts are compared without regard to case, quoted; nil
  /// for other types.
  let foldedName: String?

  /// The end of the names of folded columns; no property has it in its name.
  static let foldedSuffix = "~"

  init(_ property: PropertySchema) {
    self.property = property
    kind = ColumnKind(property)
    name = property.name.quotedName
    switch kind {
    case .text, .texts: foldedName = (property.name + Self.foldedSuffix).quotedName
    default: foldedName = nil
    }
  }

  var isID: Bool { property.has(.id) }

  /// The expression that reads the value in the type of results.
  ///
  /// - Parameter alias: The name of the table in the statement, with its point, or nothing.
  /// - Returns: SQL.
  func selection(_ alias: String = "") -> String {
    kind == .numeric ? "\(alias)\(name)::text" : "\(alias)\(name)"
  }

  /// The expression that writes a value of the type of parameters.
  ///
  /// - Parameter parameter: SQL of the value.
  /// - Returns: SQL.
  func insertion(_ parameter: String) -> String {
    kind == .numeric ? "\(parameter)::numeric" : parameter
  }
}
