/// The declarations of one source file, as plain values without syntax trees.
package struct ParsedSource: Sendable {
  package var types: [ParsedType] = []
  package var protocols: [ParsedProtocol] = []
  package var enums: [ParsedEnum] = []
  package var typealiases: [ParsedTypealias] = []
  package var imports: [ParsedImport] = []
  /// Syntax errors; if there are any, nothing else is read.
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
  /// The name without outer types; for an extension, the last part of the extended name.
  package var name: String
  /// The name with outer types.
  package var qualifiedName: String
  /// True when the type or a type around it has generic parameters.
  package var isGeneric: Bool
  /// True when the type or a type around it is `private` or `fileprivate`.
  package var isPrivate: Bool
  /// The access that other declarations of the module can have beside the type; nil within an
  /// extension, where it depends on the extended type.
  package var access: AccessLevel?
  /// The isolation that the declaration states.
  package var isolation: Isolation
  /// Inherited types, as written.
  package var inherited: [String]
  package var annotations: Annotations
  package var variables: [ParsedVariable] = []
  /// Initializers of the body, then of extensions.
  package var initializers: [ParsedInitializer] = []
  /// True when an initializer stands in a `#if`, which the compiler may decide otherwise.
  package var hasConditionalInitializers = false
  /// Static functions whose names begin with `migrate`.
  package var migrations: [ParsedMigration] = []
  /// Position after the opening brace.
  package var bodyStart: SourcePosition?
  /// True when an attribute may be a macro, which could add members.
  package var mayHaveMacros: Bool
  /// Findings about `#if` around or within the type; they count only for entities.
  package var undecidedConditions: [Diagnostic]
  package var position: SourcePosition

  package init(
    kind: Kind,
    name: String,
    qualifiedName: String,
    isGeneric: Bool,
    isPrivate: Bool,
    access: AccessLevel?,
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
    self.access = access
    self.isolation = isolation
    self.inherited = inherited
    self.annotations = annotations
    self.mayHaveMacros = mayHaveMacros
    self.undecidedConditions = undecidedConditions
    self.position = position
  }

  package var isEntity: Bool {
    if statesConformance { return true }
    let items = ["entity", "Entity"].compactMap { annotations[$0] }
    // A base within a region of entities is no entity.
    return !items.isEmpty && !(items.allSatisfy(\.isFromRegion) && isBaseByItself)
  }

  /// True when entities inherit the stored variables of the class.
  package var isBase: Bool {
    guard let item = annotations["base"] else { return false }
    let isEntityByItself =
      statesConformance || annotations.own.has("entity") || annotations.own.has("Entity")
    return !(item.isFromRegion && isEntityByItself)
  }

  private var isBaseByItself: Bool { annotations["base"]?.isFromRegion == false }

  /// True when an inherited type makes the type an entity.
  var statesConformance: Bool { inherited.contains { $0 == "Entity" || $0 == "ObjectBox.Entity" } }
}

/// A protocol.
package struct ParsedProtocol: Sendable {
  /// A requirement with annotations.
  package struct Requirement: Sendable {
    package var name: String
    package var position: SourcePosition

    package init(name: String, position: SourcePosition) {
      self.name = name
      self.position = position
    }
  }

  /// The name with outer types.
  package var qualifiedName: String
  /// Inherited protocols, as written.
  package var inherited: [String]
  /// The protocol's `base` annotation; nil without one.
  package var base: SourceSpan?
  /// Variables with annotations, in source order.
  package var annotated: [Requirement] = []

  package init(qualifiedName: String, inherited: [String]) {
    self.qualifiedName = qualifiedName
    self.inherited = inherited
  }
}

/// The isolation that a type states; if unstated, the default of its module applies.
package enum Isolation: Sendable {
  case unstated
  case nonisolated
  case mainActor
}

/// The base class that declares a variable of an entity.
package struct Ancestor: Hashable, Sendable {
  /// The qualified name of the class.
  package var name: String
  /// Number of classes between it and the entity, plus one.
  package var level: Int
}

/// A variable of a type.
package struct ParsedVariable: Sendable {
  package var name: String
  /// The type as written or inferred from the default value; nil without both.
  package var type: String?
  package var isLet: Bool
  package var isStatic: Bool
  package var isComputed: Bool
  /// True for `private` and `fileprivate`, but not for a private setter alone.
  package var isPrivate: Bool
  package var access: AccessLevel
  package var hasPrivateSetter: Bool
  /// The default value as written.
  package var defaultValue: String?
  /// True when the variable has a default value, written or implied, so initializers need not set
  /// it.
  package var hasDefault: Bool
  package var isLazy: Bool
  package var isOverride: Bool
  /// True when an attribute may be a property wrapper or a macro.
  package var mayBeWrapped: Bool
  package var annotations: Annotations
  package var position: SourcePosition
  /// The base class that declares the variable; nil for a variable of the type itself.
  var ancestor: Ancestor?

  package init(
    name: String,
    type: String?,
    isLet: Bool,
    isStatic: Bool,
    isComputed: Bool,
    isPrivate: Bool,
    access: AccessLevel,
    hasPrivateSetter: Bool,
    defaultValue: String?,
    hasDefault: Bool,
    isLazy: Bool,
    isOverride: Bool,
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
    self.access = access
    self.hasPrivateSetter = hasPrivateSetter
    self.defaultValue = defaultValue
    self.hasDefault = hasDefault
    self.isLazy = isLazy
    self.isOverride = isOverride
    self.mayBeWrapped = mayBeWrapped
    self.annotations = annotations
    self.position = position
  }

  /// True when the variable becomes a property or relation if its type is an entity.
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
  /// True when the initializer or the extension around it is `private` or `fileprivate`.
  package var isPrivate: Bool
  /// True when a call needs neither `try` nor `await`, and its result is not optional.
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

/// A static function of a type whose name begins with `migrate`.
package struct ParsedMigration: Sendable {
  package var name: String
  /// The types of the parameters, as written.
  package var parameters: [String]
  /// The labels of the parameters; `_` for none.
  package var labels: [String]
  /// The type of the result, as written; nil without one.
  package var result: String?
  package var isPrivate: Bool
  package var isThrowing: Bool
  package var isAsync: Bool
  package var isNonisolated: Bool
  package var position: SourcePosition

  package init(
    name: String,
    parameters: [String],
    labels: [String],
    result: String?,
    isPrivate: Bool,
    isThrowing: Bool,
    isAsync: Bool,
    isNonisolated: Bool,
    position: SourcePosition
  ) {
    self.name = name
    self.parameters = parameters
    self.labels = labels
    self.result = result
    self.isPrivate = isPrivate
    self.isThrowing = isThrowing
    self.isAsync = isAsync
    self.isNonisolated = isNonisolated
    self.position = position
  }
}

/// An enum, with its raw type and case names.
package struct ParsedEnum: Sendable {
  package var qualifiedName: String
  /// Inherited types, as written; the first one may be the raw type.
  package var inherited: [String]
  /// Names of the cases, in source order.
  package var cases: [String]

  package init(qualifiedName: String, inherited: [String], cases: [String]) {
    self.qualifiedName = qualifiedName
    self.inherited = inherited
    self.cases = cases
  }
}

/// An import of a module, or of a declaration in it.
package struct ParsedImport: Sendable {
  package var module: String
  /// True when the import has an access modifier such as `internal`.
  package var hasAccess: Bool
  package var position: SourcePosition

  package init(module: String, hasAccess: Bool, position: SourcePosition) {
    self.module = module
    self.hasAccess = hasAccess
    self.position = position
  }

  /// The import in generated code; `internal` when the source's import has an access modifier.
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
