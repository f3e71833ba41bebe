import Foundation
import ObjectBoxGenerator
import Testing

/// A source with the place of an expected finding marked by 1️⃣.
struct Marked {
  let text: String
  let position: SourcePosition?

  init(_ marked: String, path: String = "Test.swift") {
    guard let range = marked.range(of: "1️⃣") else {
      text = marked
      position = nil
      return
    }
    text = marked.replacingOccurrences(of: "1️⃣", with: "")
    let before = marked[..<range.lowerBound]
    let line = before.split(separator: "\n", omittingEmptySubsequences: false)
    position = SourcePosition(
      path: path,
      line: line.count,
      column: (line.last?.utf8.count ?? 0) + 1
    )
  }
}

/// Builds the schema of one source.
func schema(_ text: String) -> SchemaBuilder.Result {
  SchemaBuilder.build([SourceFile(path: "Test.swift", text: text)])
}

/// Builds the schema of a class with the given members, and returns the property with a name.
func property(_ members: String, named name: String = "x") throws -> SchemaProperty {
  let result = schema(
    "// objectbox: entity\nclass A {\n  var id: Id = 0\n\(members)\n}\nenum E: Int { case a }\n"
      + "enum S: String { case a }\ntypealias Words = [String]\n"
  )
  #expect(result.diagnostics.map(\.description) == [])
  let entity = try #require(result.schema.entities.first)
  return try #require(entity.properties.first { $0.name == name })
}

/// Expects one finding that contains the words, at the mark of the source.
func expectFinding(
  _ words: [String],
  in marked: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let source = Marked(marked)
  let findings = schema(source.text).diagnostics
  let fitting = findings.filter { finding in words.allSatisfy { finding.message.text.contains($0) }
  }
  #expect(
    fitting.map(\.position) == [source.position],
    "\(findings.map(\.description))",
    sourceLocation: sourceLocation
  )
}
