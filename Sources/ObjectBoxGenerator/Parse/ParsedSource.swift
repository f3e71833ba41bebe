/// The declarations of one source file, without syntax trees.
package struct ParsedSource: Sendable {
  package var types: [ParsedType] = []
  package var enums: [ParsedEnum] = []
  package var typealiases: [ParsedTypealias] = []
  package var imports: [ParsedImport] = []
  /// Syntax errors; with them, nothing else is read.
  package var syntaxErrors: [Diagnostic] = []
  package var diagnostics: [Diagnostic] = []

  package init() {}
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
  package var isolation: Isolation
  /// The inherited types as written.
  package var inherited: [String]
  package var annotations: Annotations
  package var variables: [ParsedVariable] = []
  /// Initializers of the body, then of extensions.
  package var initializers: [ParsedInitializer] = []
  /// True when an attribute may be a macro, which may add members.
  package var mayHaveMacros: Bool
  /// Findings about `#if` around or within the type, which count for entities only.
  package var undecidedConditions: [Diagnostic]
  package var position: SourcePosition

  package init(
    kind: Kind,
    name: String,
    qualifiedName: String,
    isGeneric: Bool,
    isPrivate: Bool,
    isolation: Isolation,
    inherited: [String],
    annotations: Annotations,
    mayHaveMacros: Bool,
    undecidedConditions: [Diagnostic],
    position: SourcePosition
  ) {
    self.kind = kind
    self.name = name
    self.qualifiedName = qualifiedName
    self.isGeneric = isGeneric
    self.isPrivate = isPrivate
    self.isolation = isolation
    self.inherited = inherited
    self.annotations = annotations
    self.mayHaveMacros = mayHaveMacros
    self.undecidedConditions = undecidedConditions
    self.position = position
  }

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

  package init(
    name: String,
    type: String?,
    isLet: Bool,
    isStatic: Bool,
    isComputed: Bool,
    isPrivate: Bool,
    hasPrivateSetter: Bool,
    defaultValue: String?,
    hasDefault: Bool,
    isLazy: Bool,
    mayBeWrapped: Bool,
    annotations: Annotations,
    position: SourcePosition
  ) {
    self.name = name
    self.type = type
    self.isLet = isLet
    self.isStatic = isStatic
    self.isComputed = isComputed
    self.isPrivate = isPrivate
    self.hasPrivateSetter = hasPrivateSetter
    self.defaultValue = defaultValue
    self.hasDefault = hasDefault
    self.isLazy = isLazy
    self.mayBeWrapped = mayBeWrapped
    self.annotations = annotations
    self.position = position
  }

  /// True for a variable that is a property or relation when its type is an entity.
  var isStored: Bool { !isStatic && !isComputed && !annotations.has("transient") }
}

/// An initializer of a class or struct.
package struct ParsedInitializer: Sendable {
  package struct Parameter: Sendable {
    /// The label; nil for `_`.
    package var label: String?
    package var hasDefault: Bool

    package init(label: String?, hasDefault: Bool) {
      self.label = label
      self.hasDefault = hasDefault
    }
  }

  package var parameters: [Parameter]
  /// True for `private` and `fileprivate`, also of the extension around it.
  package var isPrivate: Bool
  /// True when a call needs no `try` and no `await`, and its result is not optional.
  package var isPlain: Bool
  package var isInExtension: Bool
  package var isConvenience: Bool

  package init(
    parameters: [Parameter],
    isPrivate: Bool,
    isPlain: Bool,
    isInExtension: Bool,
    isConvenience: Bool
  ) {
    self.parameters = parameters
    self.isPrivate = isPrivate
    self.isPlain = isPlain
    self.isInExtension = isInExtension
    self.isConvenience = isConvenience
  }
}

/// An enumeration, for its raw type and the values it offers.
package struct ParsedEnum: Sendable {
  package var qualifiedName: String
  /// The first inherited type.
  package var rawType: String?
  /// The names of its cases, in the order of the source.
  package var cases: [String]

  package init(qualifiedName: String, rawType: String?, cases: [String]) {
    self.qualifiedName = qualifiedName
    self.rawType = rawType
    self.cases = cases
  }
}

/// An import of a module, or of something in it.
package struct ParsedImport: Sendable {
  package var module: String
  /// True when the import has a word such as `internal`.
  package var hasAccess: Bool
  package var position: SourcePosition

  package init(module: String, hasAccess: Bool, position: SourcePosition) {
    self.module = module
    self.hasAccess = hasAccess
    self.position = position
  }

  /// The import in generated code, with an access word if the source has one.
  var statement: String { (hasAccess ? "internal " : "") + "import \(module)" }
}

/// A typealias.
package struct ParsedTypealias: Sendable {
  package var qualifiedName: String
  package var type: String
  package var isGeneric: Bool

  package init(qualifiedName: String, type: String, isGeneric: Bool) {
    self.qualifiedName = qualifiedName
    self.type = type
    self.isGeneric = isGeneric
  }
}
