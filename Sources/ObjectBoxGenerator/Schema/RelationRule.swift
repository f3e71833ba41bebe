/// The relation that a variable of type `ToOne` or `ToMany` becomes.
enum RelationRule {
  /// Returns the qualified name of the target of a relation type; nil for other types.
  ///
  /// The first argument counts in `ToMany<Order, Customer>`, the form of old sources.
  static func target(of relation: String, in type: DeclaredType) -> String? {
    guard let arguments = DeclaredType.argument(of: relation, in: type.name) else { return nil }
    return arguments.split(separator: ",").first.map(String.init)
  }

  /// Makes the property of a to-one relation whose plain annotations are applied already.
  static func applyToOne(
    _ variable: ParsedVariable,
    target: String,
    to property: inout SchemaProperty,
    in owner: String
  ) -> [Diagnostic] {
    property.type = .relation
    property.targetType = target
    var diagnostics = IndexRule.apply(variable.annotations, to: &property, in: owner)
    // Backlinks and removals look targets up: the index is always there, without objects that have none.
    property.index = .value
    let rule = DeleteRule.rule(variable.annotations, of: property.name, in: owner)
    property.onDelete = rule.rule
    diagnostics += rule.diagnostics
    property.flags.formUnion([.indexed, .indexPartialSkipZero])
    if property.isOptional {
      diagnostics.append(
        Diagnostic(.optionalRelation(property.name, "ToOne", entity: owner), at: property.position)
      )
    }
    if let item = variable.annotations["backlink"] {
      let message = DiagnosticMessage.backlinkOnToOne(
        property.name,
        backlink: item.value.string ?? "",
        target: target,
        entity: owner
      )
      diagnostics.append(Diagnostic(message, at: item.name))
    }
    return diagnostics
      + AnnotationRule.misplaced(
        variable.annotations,
        on: .toOne,
        "'\(owner).\(property.name)', a to-one relation"
      )
  }

  /// Makes a to-many relation; it has no property in the model.
  static func toMany(
    _ variable: ParsedVariable,
    type: DeclaredType,
    target: String,
    in owner: String
  ) -> (relation: SchemaRelation, diagnostics: [Diagnostic]) {
    let annotations = variable.annotations
    let uid = UIDRule.request(annotations, on: "'\(owner).\(variable.name)'")
    let external = ExternalTypeRule.type(annotations, of: variable.name, in: owner)
    let rule = DeleteRule.rule(annotations, of: variable.name, in: owner)
    var diagnostics = uid.diagnostics + external.diagnostics + rule.diagnostics
    var kind = SchemaRelation.Kind.standalone
    if let item = annotations["backlink"] {
      if let name = item.value.string, !name.isEmpty {
        kind = .backlink(name)
      } else {
        diagnostics.append(
          Diagnostic(.backlinkWithoutName(variable.name, entity: owner), at: item.name)
        )
      }
    }
    if type.isOptional {
      diagnostics.append(
        Diagnostic(.optionalRelation(variable.name, "ToMany", entity: owner), at: variable.position)
      )
    }
    if variable.isLet {
      diagnostics.append(
        Diagnostic(.constantRelation(variable.name, entity: owner), at: variable.position)
      )
    }
    if let item = annotations["name"] {
      diagnostics.append(
        Diagnostic(.nameOfToMany(variable.name, entity: owner), at: item.name)
      )
    }
    if kind != .standalone, let item = annotations["uid"] {
      diagnostics.append(
        Diagnostic(.uidOfBacklink(variable.name, entity: owner), at: item.name)
      )
    }
    diagnostics += AnnotationRule.misplaced(
      annotations,
      on: .toMany,
      "'\(owner).\(variable.name)', a to-many relation"
    )
    let relation = SchemaRelation(
      name: variable.name,
      targetType: target,
      kind: kind,
      isMutable: !variable.isLet,
      uid: uid.request,
      uidPlace: uid.place,
      externalName: annotations["externalName"]?.value.string,
      externalType: external.type,
      onDelete: rule.rule,
      position: variable.position
    )
    return (relation, diagnostics)
  }
}

extension DiagnosticMessage {
  static func optionalRelation(_ name: String, _ type: String, entity: String) -> Self {
    "the relation '\(name)' of entity '\(entity)' is optional; \(type) can be empty by itself, so "
      + "declare it without `?` and initialise it with `nil`"
  }

  static func constantRelation(_ name: String, entity: String) -> Self {
    "the relation '\(name)' of entity '\(entity)' is declared with `let`, so it could not be bound "
      + "to a store; declare it with `var`"
  }

  static func backlinkOnToOne(
    _ name: String,
    backlink: String,
    target: String,
    entity: String
  ) -> Self {
    warning(
      "the backlink annotation of the to-one relation '\(entity).\(name)' has no effect; annotate "
        + "the to-many relation '\(backlink)' of '\(target)' with `// objectbox: backlink = "
        + "\"\(name)\"`"
    )
  }

  static func backlinkWithoutName(_ name: String, entity: String) -> Self {
    "the backlink annotation of '\(entity).\(name)' names no relation of the target; write "
      + "\(Annotation.usage("backlink"))"
  }

  static func nameOfToMany(_ name: String, entity: String) -> Self {
    warning(
      "the name annotation of the to-many relation '\(entity).\(name)' has no effect: its name in "
        + "the model is its Swift name; remove it"
    )
  }

  static func uidOfBacklink(_ name: String, entity: String) -> Self {
    warning(
      "the uid annotation of '\(entity).\(name)' has no effect: a backlink is no element of the "
        + "model; remove it"
    )
  }
}
