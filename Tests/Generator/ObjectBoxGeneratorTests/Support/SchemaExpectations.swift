import ObjectBoxGenerator
import Testing

/// Builds the schema of a marked source and compares the findings, in order.
///
/// An expectation is a mark, the severity and a part of the text: `1️⃣ error: has no ID`.
func expectFindings(
  _ marked: String,
  _ expected: [String],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let source = MarkedSource(marked)
  let found = SchemaBuilder.build([source.file]).diagnostics.map(source.describe)
  #expect(
    found.count == expected.count,
    "found \(found)",
    sourceLocation: sourceLocation
  )
  for (found, expected) in zip(found, expected) {
    let parts = expected.split(separator: " ", maxSplits: 2).map(String.init)
    #expect(
      found.hasPrefix(parts.prefix(2).joined(separator: " ") + " ")
        && (parts.count < 3 || found.contains(parts[2])),
      "expected \(expected), found \(found)",
      sourceLocation: sourceLocation
    )
  }
}

/// Returns the only entity of a source that must have no findings.
func entity(
  _ text: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> SchemaEntity {
  let result = SchemaBuilder.build([SourceFile(path: "Note.swift", text: text)])
  #expect(result.diagnostics.map(\.description) == [], sourceLocation: sourceLocation)
  #expect(result.schema.entities.count == 1, sourceLocation: sourceLocation)
  return try #require(result.schema.entities.first, sourceLocation: sourceLocation)
}

/// Returns the property `it` of an entity that also has an ID; there must be no findings.
///
/// `declaration` includes its comments, and `others` are further types of the source.
func property(
  _ declaration: String,
  others: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> SchemaProperty {
  let entity = try entity(
    "struct Note: Entity {\nvar id: Id\n\(declaration)\n}\n" + others,
    sourceLocation: sourceLocation
  )
  return try #require(
    entity.properties.first { $0.name == "it" },
    sourceLocation: sourceLocation
  )
}
