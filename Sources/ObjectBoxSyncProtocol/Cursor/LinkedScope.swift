/// A set of objects that a user may see: those of a scope whose to-one relations lead to objects of
/// other sets.
///
/// A device has scopes without links only: at each cut, ``Grants`` replaces a link by comparisons of
/// the relation with the IDs of its targets.
package struct LinkedScope: Hashable, Sendable {
  /// The comparisons with the object's own properties.
  package let scope: Scope
  /// The links, all of which must hold; none for a plain scope.
  package let links: [ScopeLink]

  /// Creates a set.
  package init(_ scope: Scope, links: [ScopeLink] = []) {
    self.scope = scope
    self.links = links
  }
}

/// A to-one relation that leads to an object in one of several sets.
package struct ScopeLink: Hashable, Sendable {
  /// The to-one relation.
  package let property: PropertyUID
  /// The entity of the targets.
  package let target: EntityUID
  /// The sets, of which a target must be in one.
  package let targets: [LinkedScope]

  /// Creates a link.
  package init(_ property: PropertyUID, to target: EntityUID, in targets: [LinkedScope]) {
    self.property = property
    self.target = target
    self.targets = targets
  }
}

extension [LinkedScope] {
  /// The links at any depth, each once and after the links that lead on from its targets.
  package var allLinks: [ScopeLink] {
    var all: [ScopeLink] = []
    for link in flatMap(\.links) where !all.contains(link) {
      for inner in link.targets.allLinks where !all.contains(inner) { all.append(inner) }
      all.append(link)
    }
    return all
  }
}
