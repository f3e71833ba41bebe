/// The scopes of a user, whose links are resolved at the hub's state of each cut.
///
/// An object enters or leaves a scope over a link when the target changes, without a change of its
/// own. The scopes of the device change instead: a new target gives a new scope, which is filled, and
/// a lost target takes its scope along, with the same cut.
///
/// The targets are searched once, and then only among the objects that the log tells as changed, as
/// long as the log has everything since the state of the last search.
package struct Grants: Sendable {
  /// A search for the targets of a link, which the caller answers by ``take(_:)``.
  package struct Search: Sendable {
    /// The entity of the targets.
    package let entity: EntityUID
    /// The scopes, of which a target must be in one.
    package let scopes: [Scope]
    /// The objects to look at; nil for all.
    package let ids: [UInt64]?
  }

  /// A user has more scopes than a device can have.
  package struct TooMany: Error {
    /// The entity whose objects have the scopes.
    package let entity: EntityUID
  }

  private struct Targets {
    /// The scopes of the targets.
    var scopes: [Scope]
    /// The IDs of the targets, in ascending order.
    var ids: [UInt64]
  }

  private let rules: [LinkedScope]
  /// The links, each after the links that lead on from its targets.
  private let links: [ScopeLink]
  private var known: [ScopeLink: Targets] = [:]
  /// The hub's state at which the links were resolved; nil before the first time.
  private var cursor: Cursor?

  /// The scopes, as the last resolution left them.
  package private(set) var scopes: [Scope]
  /// The state of the present resolution.
  private var now: Cursor?
  /// The links that are not resolved yet.
  private var open: ArraySlice<ScopeLink> = []
  /// The changes since the last resolution; nil to search everything.
  private var changes: [LogEntry]?
  /// True if the present resolution has found other targets than the last one.
  private var isChanged = true

  /// Creates the grants of a user.
  ///
  /// - Parameter rules: What the user may see.
  package init(_ rules: [LinkedScope]) {
    self.rules = rules
    links = rules.allLinks
    scopes = rules.filter(\.links.isEmpty).map(\.scope)
  }

  /// Creates grants without links.
  package init(_ scopes: [Scope]) { self.init(scopes.map { LinkedScope($0) }) }

  /// The entities and comparisons that the log must have, besides those of ``scopes``.
  package var innerScopes: [Scope] { links.flatMap(\.targets).map(\.scope) }

  /// The relations that links follow, each with the entity that has the relation.
  package var relations: [(entity: EntityUID, property: PropertyUID)] {
    (rules + links.flatMap(\.targets)).flatMap { rule in
      rule.links.map { (rule.scope.entity, $0.property) }
    }
  }

  /// The scopes whose changes concern the device: the device's own, and those of the targets.
  package var watched: [Scope] {
    // Read at each answer, and most users have no links.
    if links.isEmpty { return scopes }
    var all = scopes
    var found = Set(all)
    for link in links {
      // Before the first resolution, the targets of targets are not known.
      let inner = known[link]?.scopes ?? link.targets.filter(\.links.isEmpty).map(\.scope)
      for scope in inner where found.insert(scope).inserted { all.append(scope) }
    }
    return all
  }

  // MARK: Resolution

  /// Begins to resolve the links at a state of the hub; call ``next()`` until it returns nil.
  ///
  /// - Parameters:
  ///   - cursor: The state.
  ///   - history: The hub's past.
  ///   - old: An earlier state; nil if the log does not have all changes of the targets since.
  ///   - entries: The changes between the two.
  package mutating func begin(
    at cursor: Cursor,
    _ history: HubHistory,
    since old: Cursor?,
    _ entries: [LogEntry]
  ) {
    changes = isKnown(history, since: old) ? entries : nil
    if changes == nil { known = [:] }
    isChanged = changes == nil
    // Until the end: what is known must be of one state.
    self.cursor = nil
    now = cursor
    open = links[...]
  }

  /// Returns true if the changes since an earlier state contain those since the last resolution.
  private func isKnown(_ history: HubHistory, since old: Cursor?) -> Bool {
    guard let cursor else { return false }
    guard ProtocolRule.knownTargets.holds else { return true }
    // The device names its state: a later one than that of the resolution would hide changes.
    guard let old, history.continues(old), history.continues(cursor) else { return false }
    return old.epoch == cursor.epoch && cursor.snapshot.seesAll(of: old.snapshot)
  }

  /// Returns the next search; nil when all links are resolved.
  ///
  /// - Throws: ``TooMany``.
  package mutating func next() throws(TooMany) -> Search? {
    while let link = open.first {
      let inner = try scopes(of: link.targets)
      if let targets = known[link], targets.scopes == inner, let changes {
        guard ProtocolRule.resolvedLinks.holds else {
          open.removeFirst()
          continue
        }
        let ids = changed(changes, inner, of: link.target)
        if !ids.isEmpty { return Search(entity: link.target, scopes: inner, ids: ids) }
        open.removeFirst()
      } else if inner.isEmpty {
        isChanged = true
        known[link] = Targets(scopes: [], ids: [])
        open.removeFirst()
      } else {
        return Search(entity: link.target, scopes: inner, ids: nil)
      }
    }
    if isChanged { scopes = try scopes(of: rules) }
    cursor = now
    changes = nil
    return nil
  }

  /// Takes the result of a search.
  ///
  /// - Parameter found: The IDs of the objects in the search's scopes.
  /// - Throws: ``TooMany``.
  package mutating func take(_ found: [UInt64]) throws(TooMany) {
    guard let link = open.popFirst() else { return }
    let inner = try scopes(of: link.targets)
    var ids = found
    if let targets = known[link], targets.scopes == inner, let changes {
      let changed = Set(changed(changes, inner, of: link.target))
      ids += targets.ids.filter { !changed.contains($0) }
    }
    guard ids.count <= ScopeMarks.limit else { throw TooMany(entity: link.target) }
    ids.sort()
    isChanged = isChanged || known[link]?.ids != ids
    known[link] = Targets(scopes: inner, ids: ids)
  }

  /// Returns the changed objects of an entity that were or are in one of several scopes.
  private func changed(
    _ entries: [LogEntry],
    _ scopes: [Scope],
    of entity: EntityUID
  ) -> [UInt64] {
    var ids: Set<UInt64> = []
    for entry in entries where entry.key.entity == entity {
      let concerns = [entry.before, entry.after].contains { values in
        values.map { values in scopes.contains { $0.matches(entity, values) } } ?? false
      }
      if concerns { ids.insert(entry.key.id) }
    }
    return ids.sorted()
  }

  /// Returns the scopes of sets whose links are resolved.
  private func scopes(of rules: [LinkedScope]) throws(TooMany) -> [Scope] {
    var all: [Scope] = []
    var found: Set<Scope> = []
    for rule in rules {
      var alternatives = [rule.scope.comparisons]
      for link in rule.links {
        let ids = known[link]?.ids ?? []
        guard alternatives.count * ids.count <= ScopeMarks.limit else {
          throw TooMany(entity: rule.scope.entity)
        }
        alternatives = alternatives.flatMap { comparisons in
          ids.map {
            comparisons + [
              Scope.Comparison(link.property, .equals, .integer(Int64(bitPattern: $0)))
            ]
          }
        }
      }
      for comparisons in alternatives {
        let scope = Scope(entity: rule.scope.entity, comparisons)
        if found.insert(scope).inserted { all.append(scope) }
      }
      guard all.count <= ScopeMarks.limit else { throw TooMany(entity: rule.scope.entity) }
    }
    return all
  }
}
