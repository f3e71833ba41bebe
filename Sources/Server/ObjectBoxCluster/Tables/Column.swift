package import ObjectBox

/// The column of a property in its entity's table.
package struct Column: Sendable {
  package let property: PropertySchema
  package let kind: ColumnKind
  /// The name in SQL, quoted.
  package let name: String
  /// The quoted name of the column of folded texts, for comparisons that ignore case; nil for other
  /// types.
  let foldedName: String?

  /// The suffix of folded columns, which no property's name contains.
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

  package var isID: Bool { property.has(.id) }

  /// The expression that reads the value in the type of results.
  ///
  /// - Parameter alias: The table's alias with its point, or an empty string.
  /// - Returns: SQL.
  package func selection(_ alias: String = "") -> String {
    kind == .numeric ? "\(alias)\(name)::text" : "\(alias)\(name)"
  }

  /// The expression that writes a value in the type of parameters.
  ///
  /// - Parameter parameter: SQL of the value.
  /// - Returns: SQL.
  func insertion(_ parameter: String) -> String {
    kind == .numeric ? "\(parameter)::numeric" : parameter
  }
}
