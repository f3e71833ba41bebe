/// What the generator knows of one source file after parsing; free of syntax trees.
package struct ParsedSource: Sendable {
  package var types: [ParsedType] = []
  package var enums: [ParsedEnum] = []
  package var typealiases: [ParsedTypealias] = []
  package var imports: [ParsedImport] = []
  /// What keeps the file from being understood; findings about entities would only follow from it.
  package var syntaxErrors: [Diagnostic] = []
  package var diagnostics: [Diagnostic] = []
  /// Where the annotations that belong to a declaration begin, in bytes.
  var attachedAnnotations: Set<Int> = []
}

/// A class, struct or extension.
package struct ParsedType: Sendable {
  package enum Kind: Sendable {
    case `class`, `struct`, `extension`
  }

  package var kind: Kind
  /// Without outer types; of an extension the last part of the name it extends.
  package var name: String
  /// With outer types.
  package var qualifiedName: String
  /// True for types with parameters, of their own or of a type around them.
  package var isGeneric: Bool
  /// True for `private` and `fileprivate`, of the type or of one around it.
  package var isPrivate: Bool
  /// The inherited types as written.
  package var inherited: [String]
  package var annotations: Annotations
  package var variables: [ParsedVariable]
  package var position: SourcePosition
}

/// A variable of a type.
package struct ParsedVariable: Sendable {
  package var name: String
  /// The type as written, or found from the default value; nil when neither tells.
  package var type: String?
  package var isLet: Bool
  package var isStatic: Bool
  package var isComputed: Bool
  /// True for `private` and `fileprivate`, but not for a private setter alone.
  package var isPrivate: Bool
  package var annotations: Annotations
  package var position: SourcePosition
}

/// An enumeration, for its raw type.
package struct ParsedEnum: Sendable {
  package var qualifiedName: String
  /// The first inherited type.
  package var rawType: String?
}

/// An import of a module, or of something in it.
package struct ParsedImport: Sendable {
  package var module: String
  /// True when the import has a word such as `internal`.
  package var hasAccess: Bool
  package var position: SourcePosition
}

/// A typealias.
package struct ParsedTypealias: Sendable {
  package var qualifiedName: String
  package var type: String
}
