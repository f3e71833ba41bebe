/// Two models that are compared, and the versions of the entity whose parts are compared.
struct ComparedModels {
  let old: ModelDocument
  let new: ModelDocument
  /// Nil while the entities themselves are compared.
  var owner: (old: ModelDocument.Entity, new: ModelDocument.Entity)?

  /// Makes a difference of an element that one of the models has.
  func difference<Element: ModelElement>(
    of element: Element,
    _ kind: ModelDifference.Kind,
    _ before: String?,
    _ after: String?,
    _ text: String,
    _ effect: DataEffect
  ) -> ModelDifference {
    ModelDifference(
      kind: kind,
      entity: owner?.new.name ?? element.name,
      element: owner == nil || element.name.isEmpty ? nil : element.name,
      uid: element.id.uid,
      before: before,
      after: after,
      text: text,
      consequence: effect
    )
  }

  /// The words that reports call an element.
  func title(of element: some ModelElement) -> String { element.title(of: owner?.new.name) }
}

/// Two versions of a node, which are compared.
struct ModelPair<Node: ModelNode> {
  let old: Node
  let new: Node
  let models: ComparedModels

  /// The differences of all attributes, in the order of the table.
  var differences: [ModelDifference] {
    Node.table.attributes.flatMap(\.traits).flatMap { $0.differences(self) }
  }

  /// Returns the differences of a list: those of the elements of the new version in the order of their
  /// IDs, then the elements that are gone.
  func differences<Element: ModelElement>(
    in list: KeyPath<Node, [Element]>
  ) -> [ModelDifference] {
    var models = models
    if let old = old as? ModelDocument.Entity, let new = new as? ModelDocument.Entity {
      models.owner = (old, new)
    }
    let (before, after) = (old[keyPath: list].sortedByID, new[keyPath: list].sortedByID)
    let living = after.flatMap { element in
      before[uid: element.id.uid].map { old in
        ModelPair<Element>(old: old, new: element, models: models).differences
      } ?? [element.added(in: models)]
    }
    let gone = before.filter { after[uid: $0.id.uid] == nil }
    return living + gone.map { $0.removed(in: models) }
  }
}

extension ModelPair where Node: ModelElement {
  /// Makes the difference of a trait.
  func difference(
    _ kind: ModelDifference.Kind,
    _ before: String?,
    _ after: String?,
    _ subject: String,
    _ effect: DataEffect
  ) -> ModelDifference {
    models.difference(
      of: new,
      kind,
      before,
      after,
      Node.sentence(subject, of: models.title(of: new), before, after),
      effect
    )
  }
}
