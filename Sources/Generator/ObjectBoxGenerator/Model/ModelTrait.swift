/// A trait of a node that `diff` reports and `merge` decides as a unit: one attribute, or several
/// that depend on each other.
package struct ModelTrait<Node: ModelNode>: Sendable {
  typealias Path<Value> = any WritableKeyPath<Node, Value> & Sendable

  /// The three versions of a node in a merge.
  package struct Versions {
    var base: Node?
    var ours: Node
    var theirs: Node
    /// Names of all entities, by UID.
    var entityNames: [UInt64: String]

    package init(base: Node?, ours: Node, theirs: Node, entityNames: [UInt64: String]) {
      self.base = base
      self.ours = ours
      self.theirs = theirs
      self.entityNames = entityNames
    }
  }

  /// Returns the differences of two versions.
  let differences: @Sendable (ModelPair<Node>) -> [ModelDifference]
  /// Sets the merged node's trait to the value of the side that changed it.
  ///
  /// The merged node starts as a copy of ours.
  package var merge: @Sendable (Versions, inout Node) -> TraitConflict?

  /// Makes a trait for reports only.
  init(_ differences: @escaping @Sendable (ModelPair<Node>) -> [ModelDifference]) {
    self.differences = differences
    merge = { _, _ in nil }
  }

  /// Makes a trait for reports only, with at most one sentence.
  init(difference: @escaping @Sendable (ModelPair<Node>) -> ModelDifference?) {
    self.init { pair in difference(pair).map { [$0] } ?? [] }
  }

  /// Returns the trait with a merge that takes the value of the side that changed it.
  ///
  /// `words` describes the value in conflicts, given the names of entities by UID.
  func merging<Value: Equatable & Sendable>(
    _ subject: String,
    _ path: Path<Value>,
    words: @escaping @Sendable (Value, [UInt64: String]) -> String?
  ) -> Self {
    var trait = self
    trait.merge = { versions, merged in
      let (ours, theirs) = (versions.ours[keyPath: path], versions.theirs[keyPath: path])
      if let value = ThreeWay.merge(versions.base?[keyPath: path], ours, theirs) {
        merged[keyPath: path] = value
        return nil
      }
      return TraitConflict(
        subject: subject,
        ours: words(ours, versions.entityNames) ?? "none",
        theirs: words(theirs, versions.entityNames) ?? "none"
      )
    }
    return trait
  }

  /// Returns the trait with a merge of single flags, which cannot conflict; other traits merge the
  /// flags in `others`.
  func merging<Flags: OptionSet & Sendable>(
    flags path: Path<Flags>,
    except others: Flags = []
  ) -> Self where Flags.RawValue: FixedWidthInteger, Flags.Element == Flags {
    var trait = self
    trait.merge = { versions, merged in
      let flags = ThreeWay.merge(
        versions.base?[keyPath: path] ?? [],
        versions.ours[keyPath: path],
        versions.theirs[keyPath: path]
      )
      merged[keyPath: path].formIntersection(others)
      merged[keyPath: path].formUnion(flags.subtracting(others))
      return nil
    }
    return trait
  }
}

extension ModelTrait where Node: ModelElement {
  /// A value that reports and merges describe in the same words.
  static func value<Value: Equatable & Sendable>(
    _ subject: String,
    _ path: Path<Value>,
    _ kind: ModelDifference.Kind,
    _ effect: DataEffect,
    _ quoting: Quoting = Node.quoting,
    words: @escaping @Sendable (Value) -> String?
  ) -> Self {
    Self(difference: { pair in
      let (old, new) = (pair.old[keyPath: path], pair.new[keyPath: path])
      guard old != new else { return nil }
      return pair.difference(kind, words(old), words(new), subject, effect, quoting)
    }).merging(subject, path) { value, _ in PropertyWords.quoted(words(value)) }
  }

  /// The element's ID, which a merge reassigns.
  static func number(
    _ kind: ModelDifference.Kind,
    effect: @escaping @Sendable (ModelPair<Node>) -> DataEffect
  ) -> Self {
    Self(difference: { pair in
      let (old, new) = (pair.old.id.id, pair.new.id.id)
      return old == new ? nil : pair.difference(kind, "\(old)", "\(new)", "ID", effect(pair))
    })
  }
}

extension ModelTrait {
  /// The last ID of a kind, which must not decrease.
  static func last(
    _ kind: ElementKind,
    _ path: Path<ModelID>,
    of entity: (@Sendable (Node) -> String)? = nil
  ) -> Self {
    Self(difference: { pair in
      let (before, after) = (pair.old[keyPath: path], pair.new[keyPath: path])
      let isOther = before.id == after.id && before.uid != after.uid && before.id != 0
      guard after.id < before.id || isOther else { return nil }
      let entity = entity?(pair.new)
      let owner = entity.map { " of entity '\($0)'" } ?? ""
      return ModelDifference(
        kind: .lastIDLowered,
        entity: entity,
        uid: before.uid,
        before: "\(before)",
        after: "\(after)",
        text:
          "the last \(kind) ID\(owner) was \(before.id) with UID \(before.uid), and is \(after.id) "
          + "with UID \(after.uid)",
        consequence: .lastLowered
      )
    })
  }
}

/// A trait that both sides of a merge changed differently.
package struct TraitConflict {
  package let subject: String
  package let ours: String
  package let theirs: String

  package init(subject: String, ours: String, theirs: String) {
    self.subject = subject
    self.ours = ours
    self.theirs = theirs
  }
}
