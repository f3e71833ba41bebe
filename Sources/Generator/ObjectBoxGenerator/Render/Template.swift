internal import CObjectBoxTemplates

/// The built-in templates.
enum Template {
  /// The Swift bindings of all entities of a target.
  static var entityInfo: String { text(objectbox_template_entity_info()) }

  /// A model as an `erDiagram` of Mermaid.
  static var mermaidDiagram: String { text(objectbox_template_mermaid_diagram()) }

  /// A model as a graph in the language of Graphviz.
  static var dotDiagram: String { text(objectbox_template_dot_diagram()) }

  /// A model as FlatBuffers tables.
  static var flatBuffersSchema: String { text(objectbox_template_flatbuffers_schema()) }

  /// A model as JSON Schema.
  static var jsonSchema: String { text(objectbox_template_json_schema()) }

  private static func text(_ template: objectbox_template) -> String {
    String(
      decoding: UnsafeBufferPointer(start: template.start, count: template.count),
      as: UTF8.self
    )
  }
}
