/// One side of a comparison: the model, and its version of the entity whose parts are compared.
package struct ModelSide {
  let model: ModelDocument
  /// Nil while the entities themselves are compared.
  var owner: ModelDocument.Entity?
}

/// Two versions of a node in a comparison.
struct ModelPair<Node: ModelNode> {
  let old: Node
  let new: Node
  var before: ModelSide
  var after: ModelSide

  /// The differences of all attributes, in the order of the table.
  var differences: [ModelDifference] {
    Node.table.attributes.flatMap(\.traits).flatMap { $0.differences(self) }
  }

  /// Returns the differences of a list: first the new version's elements in the order of their IDs,
  /// then the elements that are gone.
  func differences<Element: ModelElement>(in list: KeyPath<Node, [Element]>) -> [ModelDifference] {
    let (olds, news) = (old[keyPath: list].sortedByID, new[keyPath: list].sortedByID)
    var (before, after) = (before, after)
    before.owner = old as? ModelDocument.Entity
    after.owner = new as? ModelDocument.Entity
    func pair(_ old: Element, _ new: Element) -> ModelPair<Element> {
      ModelPair<Element>(old: old, new: new, before: before, after: after)
    }
    let living = news.flatMap { new in
      olds[uid: new.id.uid].map { pair($0, new).differences } ?? [pair(new, new).addition]
    }
    let gone = olds.filter { news[uid: $0.id.uid] == nil }
    return living + gone.map { pair($0, $0).removal(leaving: news) }
  }
}

extension ModelPair where Node: ModelElement {
  /// Makes the difference of a trait.
  func difference(
    _ kind: ModelDifference.Kind,
    _ before: String?,
    _ after: String?,
    _ subject: String,
    _ effect: DataEffect,
    _ quoting: Quoting = Node.quoting
  ) -> ModelDifference {
    let (was, becomes) = (PropertyWords.quoted(before), PropertyWords.quoted(after))
    if quoting == .always { return difference(kind, was, becomes, subject, effect, .never) }
    let isQuoted = quoting == .inText
    let title = new.title(of: self.after.owner?.name)
    let text = Node.sentence(
      subject,
      title,
      isQuoted ? was : before ?? "none",
      isQuoted ? becomes : after ?? "none"
    )
    return difference((kind, effect), before, after, text)
  }

  private func difference(
    _ change: ElementLife.Change,
    _ before: String?,
    _ after: String?,
    _ text: String
  ) -> ModelDifference {
    let owner = self.after.owner
    return ModelDifference(
      kind: change.kind,
      entity: owner?.name ?? new.name,
      element: owner == nil || new.name.isEmpty ? nil : new.name,
      uid: new.id.uid,
      before: before,
      after: after,
      text: text,
      consequence: change.effect
    )
  }

  /// The difference that reports an added element.
  fileprivate var addition: ModelDifference {
    let life = new.life(in: after)
    let (kind, effect) = life.added
    guard let novelty = life.novelty else {
      return difference(kind, nil, life.words, life.subject, effect)
    }
    let text = "\(new.title(of: after.owner?.name)) is new, \(novelty)"
    return difference(life.added, nil, life.words, text)
  }

  /// Returns the difference that reports a removed element; the effect depends on whether another
  /// element has taken its ID or name.
  fileprivate func removal(leaving others: [Node]) -> ModelDifference {
    let life = old.life(in: before)
    var (kind, effect) = life.removed
    guard life.novelty != nil else {
      return difference(kind, life.words, nil, life.subject, effect)
    }
    if others.contains(where: { $0.id.id == old.id.id }) {
      effect = life.replaced ?? effect
    } else if others[name: old.name] != nil {
      effect = life.reset ?? effect
    }
    let text = "\(old.title(of: after.owner?.name)) is gone"
    return difference((kind, effect), life.words, nil, text)
  }
}
