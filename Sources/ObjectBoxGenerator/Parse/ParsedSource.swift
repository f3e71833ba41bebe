/// The declarations of one source file, without syntax trees.
package struct ParsedSource: Sendable {
  package var types: [ParsedType] = []
  package var enums: [ParsedEnum] = []
  package var typealiases: [ParsedTypealias] = []
  package var imports: [ParsedImport] = []
  /// Syntax errors; with them, nothing else is read.
  package var syntaxErrors: [Diagnostic] = []
  package var diagnostics: [Diagnostic] = []
  /// The offsets of the annotations that belong to a declaration.
  var attachedAnnotations: Set<Int> = []
}

/// A class, struct or extension.
package struct ParsedType: Sendable {
  package enum Kind: Sendable {
    case `class`, `struct`, `extension`
  }

  package var kind: Kind
  /// The name without outer types; of an extension the last part of the extended name.
  package var name: String
  /// The name with outer types.
  package var qualifiedName: String
  /// True for types with parameters, of their own or of a type around them.
  package var isGeneric: Bool
  /// True for `private` and `fileprivate`, of the type or of one around it.
  package var isPrivate: Bool
  /// The isolation that the declaration states.
  package var isolation = Isolation.unstated
  /// The inherited types as written.
  package var inherited: [String]
  package var annotations: Annotations
  package var variables: [ParsedVariable]
  /// Initializers of the body, then of extensions.
  package var initializers: [ParsedInitializer] = []
  /// True when an attribute may be a macro, which may add members.
  package var mayHaveMacros = false
  /// Findings about `#if` around or within the type, which count for entities only.
  package var undecidedConditions: [Diagnostic] = []
  package var position: SourcePosition

  var isEntity: Bool {
    annotations.has("entity") || annotations.has("Entity") || statesConformance
  }

  /// True when an inherited type makes it an entity.
  var statesConformance: Bool { inherited.contains { $0 == "Entity" || $0 == "ObjectBox.Entity" } }
}

/// The isolation that a type states for itself; without one, the default of its module counts.
package enum Isolation: Sendable {
  case unstated
  case nonisolated
  case mainActor
}

/// A variable of a type.
package struct ParsedVariable: Sendable {
  package var name: String
  /// The type as written, or inferred from the default value; nil without either.
  package var type: String?
  package var isLet: Bool
  package var isStatic: Bool
  package var isComputed: Bool
  /// True for `private` and `fileprivate`, but not for a private setter alone.
  package var isPrivate: Bool
  package var hasPrivateSetter: Bool
  /// The default value as written.
  package var defaultValue: String?
  /// True for a default value, written or implied, so that initializers need not set the variable.
  package var hasDefault: Bool
  package var isLazy: Bool
  /// True when an attribute may be a property wrapper or a macro.
  package var mayBeWrapped: Bool
  package var annotations: Annotations
  package var position: SourcePosition

  /// True for a variable that is a property or relation when its type is an entity.
  var isStored: Bool { !isStatic && !isComputed && !annotations.has("transient") }
}

/// An initializer of a class or struct.
package struct ParsedInitializer: Sendable {
  package struct Parameter: Sendable {
    /// The label; nil for `_`.
    package var label: String?
    package var hasDefault: Bool
  }

  package var parameters: [Parameter]
  /// True for `private` and `fileprivate`, also of the extension around it.
  package var isPrivate: Bool
  /// True when a call needs no `try` and no `await`, and its result is not optional.
  package var isPlain: Bool
  package var isInExtension: Bool
  package var isConvenience: Bool
}

/// An enumeration, for its raw type and the values it offers.
package struct ParsedEnum: Sendable {
  package var qualifiedName: String
  /// The first inherited type.
  package var rawType: String?
  /// The names of its cases, in the order of the source.
  package var cases: [String] = []
}

/// An import of a module, or of something in it.
package struct ParsedImport: Sendable {
  package var module: String
  /// True when the import has a word such as `internal`.
  package var hasAccess: Bool
  package var position: SourcePosition

  /// The import in generated code, with an access word if the source has one.
  var statement: String { (hasAccess ? "internal " : "") + "import \(module)" }
}

/// A typealias.
package struct ParsedTypealias: Sendable {
  package var qualifiedName: String
  package var type: String
  package var isGeneric: Bool
}
