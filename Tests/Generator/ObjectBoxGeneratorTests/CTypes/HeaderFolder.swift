import Foundation
import ObjectBoxGenerator
import ObjectBoxTestSupport
import Testing

/// Headers in a temporary folder, with entity sources that use them.
struct HeaderFolder {
  let folder: TemporaryDirectory
  private(set) var headers = CHeaders()

  init(_ files: (name: String, text: String)...) throws {
    folder = try TemporaryDirectory()
    for (name, text) in files {
      headers.files.append(try folder.write(text, to: name))
    }
  }

  /// Makes a folder with one header, `a.h`.
  init(_ text: String) throws {
    try self.init((name: "a.h", text: text))
  }

  /// Returns the kind of a type; nil when the headers do not declare it.
  ///
  /// The headers must be without faults.
  func kind(
    of name: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> CType.Kind? {
    let types = try CTypeReader.read([name], in: headers)
    #expect(types.diagnostics == [], sourceLocation: sourceLocation)
    let type = types[name]
    #expect(type?.conflict == nil, sourceLocation: sourceLocation)
    return type?.kind
  }

  /// Builds the schema of a source whose C types these headers declare.
  func build(_ source: String) throws -> SchemaBuilder.Result {
    let parsed = SourceSelection.parse([SourceFile(path: "Note.swift", text: source)])
    let names = SchemaBuilder.demandedCTypes(parsed)
    return SchemaBuilder.build(parsed, cTypes: try CTypeReader.read(names, in: headers))
  }

  /// Returns the property `it` of an entity; there must be no findings.
  func property(
    _ declaration: String,
    others: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> SchemaProperty {
    let result = try build("struct Note: Entity {\nvar id: Id\n\(declaration)\n}\n" + others)
    #expect(result.diagnostics.map(\.description) == [], sourceLocation: sourceLocation)
    return try #require(
      result.schema.entities.first?.properties.first { $0.name == "it" },
      sourceLocation: sourceLocation
    )
  }

  /// Returns the findings of an entity with one declaration, with the folder's path left out.
  func findings(_ declaration: String, others: String = "") throws -> [String] {
    try build("struct Note: Entity {\nvar id: Id\n\(declaration)\n}\n" + others).diagnostics
      .map { $0.description.replacingOccurrences(of: folder.path + "/", with: "") }
  }
}
