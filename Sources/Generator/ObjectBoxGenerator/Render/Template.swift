internal import CObjectBoxTemplates

// The digests of the embedded files; CObjectBoxTemplates.h says why.
// EntityInfo.mustache: a966c6a98aaec5d4
// MermaidDiagram.mustache: b9cb143b75d57595
// DotDiagram.mustache: b45fd6c4fa4fb183
// FlatBuffersSchema.mustache: e129fcf45e03f28f
// JSONSchema.mustache: 4bf5c3a872072464

/// The built-in templates.
package enum Template {
  /// The Swift bindings of all entities of a target.
  static var entityInfo: String { text(objectbox_template_entity_info()) }

  /// A model as an `erDiagram` of Mermaid.
  package static var mermaidDiagram: String { text(objectbox_template_mermaid_diagram()) }

  /// A model as a graph in the language of Graphviz.
  package static var dotDiagram: String { text(objectbox_template_dot_diagram()) }

  /// A model as FlatBuffers tables.
  package static var flatBuffersSchema: String { text(objectbox_template_flatbuffers_schema()) }

  /// A model as JSON Schema.
  package static var jsonSchema: String { text(objectbox_template_json_schema()) }

  private static func text(_ template: objectbox_template) -> String {
    String(
      decoding: UnsafeBufferPointer(start: template.start, count: template.count),
      as: UTF8.self
    )
  }
}
