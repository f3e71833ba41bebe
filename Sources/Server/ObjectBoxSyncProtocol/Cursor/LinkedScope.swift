/// A set of objects that a user may see: the objects of a scope whose relations lead to objects of other sets.
///
/// The scopes of a device have no links. At each delta, ``Grants`` replaces a link over a to-one relation by
/// comparisons of the relation with the IDs of its targets. It replaces any other link by the IDs of the objects that
/// have such targets.
package struct LinkedScope: Hashable, Sendable {
  /// The comparisons with the object's own properties.
  package let scope: Scope
  /// The links, all of which must hold; empty for a plain scope.
  package let links: [ScopeLink]

  /// Creates a set.
  package init(_ scope: Scope, links: [ScopeLink] = []) {
    self.scope = scope
    self.links = links
  }
}

/// A relation that leads to an object in one of several sets.
package struct ScopeLink: Hashable, Sendable {
  /// The end of a relation at the objects of a rule.
  package enum Relation: Hashable, Sendable {
    /// A to-one relation of the objects.
    case toOne(PropertyUID)
    /// The backlink of a to-one relation of the targets.
    case toOneBacklink(PropertyUID)
    /// A standalone relation of the objects, which are of the given entity.
    case standalone(PropertyUID, of: EntityUID)
    /// The backlink of a standalone relation of the targets.
    case standaloneBacklink(PropertyUID)
  }

  /// The relation.
  package let relation: Relation
  /// The entity of the targets.
  package let target: EntityUID
  /// The sets; a target must be in one of them.
  package let targets: [LinkedScope]

  /// Creates a link.
  package init(_ relation: Relation, to target: EntityUID, in targets: [LinkedScope]) {
    self.relation = relation
    self.target = target
    self.targets = targets
  }

  /// Creates a link over a to-one relation.
  package init(_ property: PropertyUID, to target: EntityUID, in targets: [LinkedScope]) {
    self.init(.toOne(property), to: target, in: targets)
  }

  /// The comparison that admits objects for a found object: the relation leads to the found object, or the found object
  /// is the one itself.
  func comparison(_ found: UInt64) -> Scope.Comparison {
    guard case .toOne(let property) = relation else { return Scope.Comparison(object: found) }
    return Scope.Comparison(property, .equals, .integer(Int64(bitPattern: found)))
  }
}

extension [LinkedScope] {
  /// The links at any depth, each once; a link comes after the links of its targets.
  package var allLinks: [ScopeLink] {
    var all: [ScopeLink] = []
    for link in flatMap(\.links) where !all.contains(link) {
      for inner in link.targets.allLinks where !all.contains(inner) { all.append(inner) }
      all.append(link)
    }
    return all
  }
}
