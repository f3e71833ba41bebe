/// Makes relations from variables of type `ToOne` or `ToMany`.
enum RelationRule {
  /// Returns the qualified name of a relation type's target; nil for other types.
  ///
  /// For `ToMany<Order, Customer>`, the form of old sources, this is the first argument.
  static func target(of relation: String, in type: DeclaredType) -> String? {
    guard let arguments = DeclaredType.argument(of: relation, in: type.name) else { return nil }
    return arguments.split(separator: ",").first.map { SwiftName.plain(String($0)) }
  }

  /// Completes the property of a to-one relation; its plain annotations must be applied already.
  static func applyToOne(
    _ stored: StoredVariable,
    target: String,
    to property: inout SchemaProperty
  ) -> [Diagnostic] {
    property.type = .relation
    property.targetType = target
    var diagnostics = IndexRule.apply(stored, to: &property)
    // Backlinks and removals need the index; it omits objects without a target.
    property.index = .value
    let rule = SchemaDeleteRule.rule(of: stored)
    property.onDelete = rule.word
    diagnostics += rule.diagnostics
    property.flags.formUnion([.indexed, .indexPartialSkipZero])
    if property.isOptional {
      diagnostics.append(stored.finding(.optionalRelation(stored, "ToOne")))
    }
    if let item = stored.annotations["backlink"] {
      let message = DiagnosticMessage.backlinkOnToOne(
        stored,
        backlink: item.value.string ?? "",
        target: target
      )
      diagnostics.append(Diagnostic(message, at: item.name))
    }
    let element = "\(stored.path), a to-one relation"
    return diagnostics + AnnotationRule.misplaced(stored.annotations, on: .toOne, element)
  }

  /// Makes a to-many relation, which has no property in the model.
  static func toMany(
    _ stored: StoredVariable,
    target: String
  ) -> (relation: SchemaRelation, diagnostics: [Diagnostic]) {
    let (variable, annotations) = (stored.variable, stored.annotations)
    let uid = UIDRule.request(
      annotations,
      on: stored.path,
      isShared: variable.ancestor != nil
    )
    let external = ExternalTypeRule.type(of: stored)
    let rule = SchemaDeleteRule.rule(of: stored)
    var diagnostics = uid.diagnostics + external.diagnostics + rule.diagnostics
    var kind = SchemaRelation.Kind.standalone
    if let item = annotations["backlink"] {
      if let name = item.value.string, !name.isEmpty {
        kind = .backlink(name)
      } else {
        diagnostics.append(Diagnostic(.backlinkWithoutName(stored.path), at: item.name))
      }
    }
    if stored.type.isOptional {
      diagnostics.append(stored.finding(.optionalRelation(stored, "ToMany")))
    }
    if variable.isLet { diagnostics.append(stored.finding(.constantRelation(stored))) }
    if variable.isPrivate { diagnostics.append(stored.finding(.privateProperty(stored.title))) }
    if let item = annotations["name"] {
      diagnostics.append(Diagnostic(.nameOfToMany(stored.path), at: item.name))
    }
    if kind != .standalone, let item = annotations["uid"] {
      diagnostics.append(Diagnostic(.uidOfBacklink(stored.path), at: item.name))
    }
    let element = "\(stored.path), a to-many relation"
    diagnostics += AnnotationRule.misplaced(annotations, on: .toMany, element)
    let relation = SchemaRelation(
      name: variable.name,
      targetType: target,
      kind: kind,
      isMutable: !variable.isLet,
      access: variable.access,
      uid: uid.request,
      uidPlace: uid.place,
      externalName: annotations["externalName"]?.value.string,
      externalType: external.word,
      onDelete: rule.word,
      ancestor: variable.ancestor,
      position: variable.position
    )
    return (relation, diagnostics)
  }
}

extension DiagnosticMessage {
  static func optionalRelation(_ relation: StoredVariable, _ type: String) -> Self {
    "the relation '\(relation.name)' of \(relation.ownerTitle) is optional; \(type) can be empty "
      + "by itself, so declare it without `?` and initialise it with `nil`"
  }

  static func constantRelation(_ relation: StoredVariable) -> Self {
    "the relation '\(relation.name)' of \(relation.ownerTitle) is declared with `let`, so it "
      + "could not be bound to a store; declare it with `var`"
  }

  static func backlinkOnToOne(
    _ relation: StoredVariable,
    backlink: String,
    target: String
  ) -> Self {
    warning(
      "the backlink annotation of the to-one relation \(relation.path) has no effect; annotate the "
        + "to-many relation '\(backlink)' of '\(target)' with "
        + "`// objectbox: backlink = \"\(relation.name)\"`"
    )
  }

  static func backlinkWithoutName(_ path: String) -> Self {
    "the backlink annotation of \(path) names no relation of the target; write "
      + "\(Annotation.usage("backlink"))"
  }

  static func nameOfToMany(_ path: String) -> Self {
    warning(
      "the name annotation of the to-many relation \(path) has no effect: its name in the model is "
        + "its Swift name; remove it"
    )
  }

  static func uidOfBacklink(_ path: String) -> Self {
    warning(
      "the uid annotation of \(path) has no effect: a backlink is no element of the model; remove it"
    )
  }
}
