/// Makes the schema of the entities in parsed sources.
package enum SchemaBuilder {
  package struct Result: Sendable {
    package var schema: Schema
    package var diagnostics: [Diagnostic]
    /// False when a file could not be parsed; entities are then not checked.
    package var isParsed = true
  }

  /// Returns the names of types that only C headers could explain; see ``CTypeReader``.
  package static func demandedCTypes(_ parsed: [ParsedSource]) -> Set<String> {
    CTypeDemand.names(in: parsed)
  }

  /// Makes the schema from parsed files and the C types of their properties, with the findings of
  /// all of them.
  package static func build(_ parsed: [ParsedSource], cTypes: CTypes = CTypes()) -> Result {
    let syntaxErrors = parsed.flatMap(\.syntaxErrors)
    var diagnostics = parsed.flatMap(\.diagnostics) + cTypes.diagnostics
    guard syntaxErrors.isEmpty else {
      // Declarations of files with syntax errors are missing. Only findings about single
      // declarations are certain.
      for type in parsed.flatMap(\.types) { diagnostics += AnnotationRule.check(type) }
      return Result(
        schema: Schema(),
        diagnostics: sorted(syntaxErrors + diagnostics),
        isParsed: false
      )
    }
    let names = DeclaredNames(parsed, cTypes: cTypes)
    let declared = TypeMerging.merge(parsed.flatMap(\.types), names)
    for type in declared { diagnostics += AnnotationRule.check(type) }
    let classes = BaseClasses(declared, names)
    diagnostics += BaseRule.check(declared, parsed.flatMap(\.protocols), classes)
    let types = declared.map(classes.flattened)
    // Entities under one `#if` share the finding about it.
    diagnostics += Set(types.filter(\.isEntity).flatMap(\.undecidedConditions))

    var entities: [SchemaEntity] = []
    for type in types.sorted(by: { $0.qualifiedName < $1.qualifiedName })
    where type.isEntity {
      let result = EntityRule.entity(of: type, names: names)
      diagnostics += result.diagnostics
      if let entity = result.entity { entities.append(entity) }
    }
    diagnostics += RelationResolution.resolve(&entities, bases: classes.baseNames)
    diagnostics += checkNames(entities) + checkBindings(entities, names)
    // Entities with a common base share the findings about its properties.
    var known: Set<Diagnostic> = []
    diagnostics.removeAll { !known.insert($0).inserted }
    let schema = Schema(
      entities: entities,
      statesImportAccess: parsed.flatMap(\.imports).contains {
        $0.module == "ObjectBox" && $0.hasAccess
      }
    )
    return Result(schema: schema, diagnostics: sorted(diagnostics))
  }

  /// Sorts findings by position, then by text: every run has the same order.
  private static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    diagnostics.sorted { left, right in
      let (leftPlace, rightPlace) = (left.position ?? .none, right.position ?? .none)
      return leftPlace == rightPlace
        ? left.message.text < right.message.text : leftPlace < rightPlace
    }
  }

  private static func checkNames(_ entities: [SchemaEntity]) -> [Diagnostic] {
    entities.sorted { $0.position < $1.position }
      .repetitions { $0.databaseName.lowercased() }.map { earlier, later in
        Diagnostic(
          .duplicateEntityName(later.databaseName),
          at: later.position,
          notes: [Diagnostic(.earlierDeclaration, at: earlier.position)]
        )
      }
  }

  /// Reports bindings with equal names, and bindings with the name of another type.
  private static func checkBindings(
    _ entities: [SchemaEntity],
    _ names: DeclaredNames
  ) -> [Diagnostic] {
    let binding = { (entity: SchemaEntity) in
      SwiftName.plain(SwiftName.binding(of: entity.qualifiedName))
    }
    let taken = entities.filter { names.isDeclared(binding($0)) }.map { entity in
      let message = DiagnosticMessage.takenBinding(binding(entity), entity: entity.qualifiedName)
      return Diagnostic(message, at: entity.position)
    }
    let ordered = entities.sorted { $0.position < $1.position }
    return taken
      + ordered.repetitions(by: binding).map { earlier, later in
        let both = [earlier.qualifiedName, later.qualifiedName]
        return Diagnostic(
          .equalBindings(binding(later), both),
          at: later.position,
          notes: [Diagnostic(.earlierDeclaration, at: earlier.position)]
        )
      }
  }
}

extension SourcePosition {
  fileprivate static let none = Self(path: "", line: 0, column: 0)
}

extension DiagnosticMessage {
  static func duplicateEntityName(_ name: String) -> Self {
    "two entities are named '\(name)' in the database, where case does not count; give one of "
      + "them another name with `// objectbox: name = \"…\"`"
  }

  static func takenBinding(_ binding: String, entity: String) -> Self {
    "generated code declares '\(binding)' for entity '\(entity)', and the sources declare a type of "
      + "this name; remove that type, or rename one of the two"
  }

  static func equalBindings(_ binding: String, _ entities: [String]) -> Self {
    "generated code would declare '\(binding)' twice, for the entities \(entities.quotedList); rename "
      + "one of them"
  }
}
