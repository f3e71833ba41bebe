import Testing

@testable import ObjectBoxGenerator

/// Repeated annotations on a declaration.
struct AnnotationsTests {
  private func annotations(_ values: [AnnotationValue]) -> Annotations {
    var annotations = Annotations()
    for (column, value) in values.enumerated() {
      annotations.add("x", value, at: position(column + 1))
    }
    return annotations
  }

  private func position(_ column: Int) -> SourcePosition {
    SourcePosition(path: "Note.swift", line: 1, column: column)
  }

  @Test func `equal values collapse`() {
    let annotations = annotations([.text("a"), .text("a")])
    #expect(annotations["x"] == Annotations.Item(value: .text("a"), position: position(1)))
    #expect(annotations.diagnostics.isEmpty)
  }

  @Test func `dictionaries merge, and the later value of a key stays`() {
    let annotations = annotations([
      .dictionary(["a": .integer(1), "b": .integer(1)]),
      .dictionary(["b": .integer(2), "c": .integer(2)]),
    ])
    #expect(
      annotations["x"]?.value
        == .dictionary(["a": .integer(1), "b": .integer(2), "c": .integer(2)])
    )
    #expect(annotations.diagnostics.isEmpty)
  }

  @Test func `different values become a list, with a warning that points to both`() {
    let annotations = annotations([.text("a"), .bare, .text("b")])
    #expect(annotations["x"]?.value == .list([.text("a"), .bare, .text("b")]))
    #expect(annotations.has("x"))
    #expect(annotations["x"]?.value.string == nil)
    #expect(annotations.diagnostics.map(\.position) == [position(2), position(3)])
    #expect(annotations.diagnostics.allSatisfy { !$0.isError })
    #expect(annotations.diagnostics.first?.notes.map(\.position) == [position(1)])
  }

  @Test func `those of an extension replace earlier ones of the same name`() {
    var first = Annotations()
    first.add("name", .text("a"), at: position(1))
    first.add("entity", .bare, at: position(2))
    var second = Annotations()
    second.add("name", .text("b"), at: position(3))
    first.merge(second)
    #expect(first["name"] == Annotations.Item(value: .text("b"), position: position(3)))
    #expect(first.names == ["entity", "name"])
  }
}
