/// Resolves the targets of all relations, once all entities are known.
enum RelationResolution {
  /// Sets the targets of to-one relations and the counterparts of backlinks.
  ///
  /// `bases` are the qualified names of the classes that are bases.
  static func resolve(_ entities: inout [SchemaEntity], bases: Set<String> = []) -> [Diagnostic] {
    let places = Dictionary(
      entities.indices.map { (entities[$0].qualifiedName, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    var diagnostics: [Diagnostic] = []
    for owner in entities.indices {
      let ownerName = entities[owner].qualifiedName
      for place in entities[owner].properties.indices {
        let property = entities[owner].properties[place]
        guard let target = property.targetType else { continue }
        if let found = places[target] {
          entities[owner].properties[place].relationTarget = entities[found].databaseName
        } else {
          let path = "'\(property.ancestor?.name ?? ownerName).\(property.name)'"
          let message: DiagnosticMessage =
            bases.contains(target)
            ? .relationToBase(path, target) : .toOneOfNoEntity(path, target)
          diagnostics.append(Diagnostic(message, at: property.position))
        }
      }
      for place in entities[owner].relations.indices {
        let relation = entities[owner].relations[place]
        let path = "'\(ownerName).\(relation.name)'"
        guard let target = places[relation.targetType] else {
          let message: DiagnosticMessage =
            bases.contains(relation.targetType)
            ? .relationToBase(path, relation.targetType)
            : .toManyOfNoEntity(path, relation.targetType)
          diagnostics.append(Diagnostic(message, at: relation.position))
          continue
        }
        guard case .backlink(let name) = relation.kind else { continue }
        if let kind = counterpart(named: name, in: entities[target], of: ownerName) {
          entities[owner].relations[place].kind = kind
          diagnostics += applyRule(
            of: entities[owner].relations[place],
            owner: ownerName,
            to: &entities[target]
          )
        } else {
          let message = DiagnosticMessage.noCounterpart(
            named: name,
            of: path,
            entity: ownerName,
            in: relation.targetType,
            candidates: candidates(in: entities[target], of: ownerName)
          )
          let declaration = DiagnosticMessage.targetDeclaration(relation.targetType)
          let note = Diagnostic(declaration, at: entities[target].position)
          diagnostics.append(Diagnostic(message, at: relation.position, notes: [note]))
        }
      }
    }
    return diagnostics
  }

  /// Returns the relation of which a backlink is the reverse side.
  ///
  /// It must lead to the backlink's entity. A standalone relation takes precedence over a to-one
  /// relation.
  private static func counterpart(
    named name: String,
    in target: SchemaEntity,
    of owner: String
  ) -> SchemaRelation.Kind? {
    if let relation = target.relations.first(where: {
      $0.name == name && $0.isStandalone && $0.targetType == owner
    }) {
      return .reverseOfToMany(relation.name)
    }
    let toOnes = target.properties.filter { $0.targetType == owner }
    let found =
      toOnes.first { $0.databaseName.lowercased() == name.lowercased() }
      ?? toOnes.first { $0.name == name }
    return found.map { .reverseOfToOne($0.name) }
  }

  /// Names of relations that a backlink could name.
  private static func candidates(in target: SchemaEntity, of owner: String) -> [String] {
    target.properties.filter { $0.targetType == owner }.map(\.databaseName)
      + target.relations.filter { $0.isStandalone && $0.targetType == owner }.map(\.name)
  }
}

extension DiagnosticMessage {
  static func toOneOfNoEntity(_ path: String, _ target: String) -> Self {
    warning(
      "the to-one relation \(path) leads to '\(target)', which is no entity of these sources; annotate "
        + "it with `// objectbox: entity`, or write its binding by hand"
    )
  }

  static func toManyOfNoEntity(_ path: String, _ target: String) -> Self {
    "the to-many relation \(path) leads to '\(target)', which is no entity of these sources; annotate "
      + "it with `// objectbox: entity`"
  }

  static func relationToBase(_ path: String, _ target: String) -> Self {
    "the relation \(path) leads to '\(target)', which is a base and not stored by itself; name one "
      + "of the entities that inherit from it"
  }

  static func noCounterpart(
    named backlink: String,
    of path: String,
    entity: String,
    in target: String,
    candidates: [String]
  ) -> Self {
    let advice =
      candidates.isEmpty
      ? "declare `var \(backlink): ToOne<\(entity)> = nil` in '\(target)'"
      : "write one of \(candidates.quotedList)"
    return "the backlink '\(backlink)' of \(path) is no relation of '\(target)' to "
      + "'\(entity)'; \(advice)"
  }

  static func targetDeclaration(_ target: String) -> Self {
    note("'\(target)' is declared here")
  }
}
