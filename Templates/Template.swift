/// The templates that the generator renders, embedded in the code so that the tool is one file.
package enum Template {
  /// The Swift bindings of all entities of a target.
  package static var entityInfo: String { text(PackageResources.EntityInfo_mustache) }

  /// A model as an `erDiagram` of Mermaid.
  package static var mermaidDiagram: String { text(PackageResources.MermaidDiagram_mustache) }

  /// A model as a graph in the language of Graphviz.
  package static var dotDiagram: String { text(PackageResources.DotDiagram_mustache) }

  /// A model as FlatBuffers tables.
  package static var flatBuffersSchema: String { text(PackageResources.FlatBuffersSchema_mustache) }

  /// A model as JSON Schema.
  package static var jsonSchema: String { text(PackageResources.JSONSchema_mustache) }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
