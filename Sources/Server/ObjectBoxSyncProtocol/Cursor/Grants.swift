/// The scopes of a user, with links resolved at the server's state of each delta.
///
/// An object enters or leaves a scope over a link when the target changes, without a change of the object. So the
/// device's scopes change instead: a new target adds a scope, which is filled, and a lost target removes its scope, in
/// the same delta.
///
/// The first resolution searches all objects of a link. Later ones search only objects that the log names, as long as
/// the log has all changes since the last search. They search all objects again if the log does not name them.
package struct Grants: Sendable {
  /// A search for the objects of a link: the targets of a to-one relation, or the objects that have a target over
  /// another relation.
  ///
  /// The caller answers it by ``take(_:)``.
  package struct Search: Sendable {
    /// The relation.
    package let relation: ScopeLink.Relation
    /// The entity of the targets.
    package let entity: EntityUID
    /// The scopes; a target must be in one of them.
    package let scopes: [Scope]
    /// The objects to search among; nil for all.
    package let ids: [UInt64]?

    fileprivate init(_ link: ScopeLink, _ scopes: [Scope], among ids: [UInt64]?) {
      relation = link.relation
      entity = link.target
      self.scopes = scopes
      self.ids = ids
    }
  }

  /// A user has more scopes than a device can have.
  package struct TooMany: Error {
    /// The entity whose objects have the scopes.
    package let entity: EntityUID
  }

  private struct Found {
    /// The scopes of the targets.
    var scopes: [Scope]
    /// The IDs of the found objects, in ascending order.
    var ids: [UInt64]
  }

  /// The objects of a link that changes may concern.
  private enum Concerned {
    case none
    case some(Set<UInt64>)
    /// The log does not name them.
    case all
  }

  /// The greatest number of objects of a link, and of scopes.
  package let limit: Int
  private let rules: [LinkedScope]
  /// The links; a link comes after the links of its targets.
  private let links: [ScopeLink]
  private var known: [ScopeLink: Found] = [:]
  /// The server's state at which the links were resolved; nil before the first time.
  private var cursor: Cursor?

  /// The scopes, as the last resolution left them.
  package private(set) var scopes: [Scope]
  /// The state of the present resolution.
  private var now: Cursor?
  /// The links that are not resolved yet.
  private var open: ArraySlice<ScopeLink> = []
  /// The changes since the last resolution; nil to search everything.
  private var changes: [LogEntry]?
  /// The objects of the present search; nil for all.
  private var asked: Set<UInt64>?
  /// True if the present resolution has found other objects than the one before.
  private var isChanged = true

  /// Creates the grants of a user.
  ///
  /// - Parameters:
  ///   - rules: The sets of objects that the user may see.
  ///   - limit: The greatest number of objects of a link, and of scopes.
  package init(_ rules: [LinkedScope], limit: Int = ScopeProgress.limit) {
    self.rules = rules
    self.limit = limit
    links = rules.allLinks
    scopes = rules.filter(\.links.isEmpty).map(\.scope)
  }

  /// Creates grants without links.
  package init(_ scopes: [Scope]) { self.init(scopes.map { LinkedScope($0) }) }

  /// The scopes of targets; the log must have their entities and comparisons in addition to ``scopes``.
  package var innerScopes: [Scope] {
    links.flatMap(\.targets).map(\.scope) + links.compactMap(\.pairs)
  }

  /// The to-one relations that links follow, each with the entity that has the relation.
  package var relations: [(entity: EntityUID, property: PropertyUID)] {
    (rules + links.flatMap(\.targets)).flatMap { rule in
      rule.links.compactMap { link in
        switch link.relation {
        case .toOne(let property): (rule.scope.entity, property)
        case .toOneBacklink(let property): (link.target, property)
        case .standalone, .standaloneBacklink: nil
        }
      }
    }
  }

  /// The scopes that concern the device: its own scopes and the scopes of targets.
  package var watched: [Scope] {
    // This is read at each answer, and most users have no links.
    if links.isEmpty { return scopes }
    var all = scopes
    var found = Set(all)
    for link in links {
      // Before the first resolution, the targets of targets are not known.
      let inner = known[link]?.scopes ?? link.targets.filter(\.links.isEmpty).map(\.scope)
      for scope in inner + [link.pairs].compactMap(\.self) where found.insert(scope).inserted {
        all.append(scope)
      }
    }
    return all
  }

  // MARK: Resolution

  /// Begins to resolve the links at a state of the server; call ``next()`` until it returns nil.
  ///
  /// - Parameters:
  ///   - cursor: The state.
  ///   - history: The server's past.
  ///   - old: An earlier state; nil if the log lacks changes of the targets since then.
  ///   - entries: The changes between the two states.
  package mutating func begin(
    at cursor: Cursor,
    _ history: ServerHistory,
    since old: Cursor?,
    _ entries: [LogEntry]
  ) {
    changes = isKnown(history, since: old) ? entries : nil
    if changes == nil { known = [:] }
    isChanged = changes == nil
    // Nil until the end: all known targets must be of one state.
    self.cursor = nil
    now = cursor
    open = links[...]
  }

  /// Returns true if the changes since an earlier state include those since the last resolution.
  private func isKnown(_ history: ServerHistory, since old: Cursor?) -> Bool {
    guard let cursor else { return false }
    guard ProtocolRule.knownTargets.holds else { return true }
    // The device names this state: one later than the last resolution would hide changes.
    guard let old, history.continues(old), history.continues(cursor) else { return false }
    return old.epoch == cursor.epoch && cursor.snapshot.seesAll(of: old.snapshot)
  }

  /// Returns the next search; nil when all links are resolved.
  ///
  /// - Throws: ``TooMany``.
  package mutating func next() throws(TooMany) -> Search? {
    while let link = open.first {
      let inner = try scopes(of: link.targets)
      if let found = known[link], found.scopes == inner, let changes {
        guard ProtocolRule.resolvedLinks.holds else {
          open.removeFirst()
          continue
        }
        switch concerned(changes, inner, link) {
        case .none: open.removeFirst()
        case .some(let ids):
          asked = ids
          return Search(link, inner, among: ids.sorted())
        case .all:
          asked = nil
          return Search(link, inner, among: nil)
        }
      } else if inner.isEmpty {
        isChanged = true
        known[link] = Found(scopes: [], ids: [])
        open.removeFirst()
      } else {
        asked = nil
        return Search(link, inner, among: nil)
      }
    }
    if isChanged { scopes = try scopes(of: rules) }
    cursor = now
    changes = nil
    return nil
  }

  /// Uses the result of a search.
  ///
  /// - Parameter found: The IDs of the search's objects.
  /// - Throws: ``TooMany``.
  package mutating func take(_ found: [UInt64]) throws(TooMany) {
    guard let link = open.popFirst() else { return }
    let inner = try scopes(of: link.targets)
    var ids = found
    if let asked, let before = known[link] { ids += before.ids.filter { !asked.contains($0) } }
    guard ids.count <= limit else { throw TooMany(entity: link.target) }
    ids.sort()
    isChanged = isChanged || known[link]?.ids != ids
    known[link] = Found(scopes: inner, ids: ids)
  }

  /// Returns the objects of a link that changes may concern.
  ///
  /// - Parameters:
  ///   - entries: The changes.
  ///   - scopes: The scopes of the targets.
  ///   - link: The link.
  /// - Returns: The objects, if the log names them.
  private func concerned(
    _ entries: [LogEntry],
    _ scopes: [Scope],
    _ link: ScopeLink
  ) -> Concerned {
    var ids: Set<UInt64> = []
    let targets = ScopeProgress(complete: scopes)
    for entry in entries {
      if link.isOfPairs(entry) {
        // The log names the source of changed pairs, but not the targets.
        guard case .standalone = link.relation else { return .all }
        ids.insert(entry.key.id)
      }
      guard entry.key.entity == link.target else { continue }
      let values = [entry.before, entry.after].compactMap(\.self)
      guard values.contains(where: { targets.match($0, at: entry.key) }) else { continue }
      switch link.relation {
      case .toOne: ids.insert(entry.key.id)
      case .toOneBacklink(let property):
        for case .integer(let id)? in values.map({ $0[property] }) where id != 0 {
          ids.insert(UInt64(bitPattern: id))
        }
      case .standalone, .standaloneBacklink: return .all
      }
    }
    return ids.isEmpty ? .none : .some(ids)
  }

  /// Returns the scopes of sets with resolved links.
  private func scopes(of rules: [LinkedScope]) throws(TooMany) -> [Scope] {
    var all: [Scope] = []
    var found: Set<Scope> = []
    for rule in rules {
      var alternatives = [rule.scope.comparisons]
      for (link, ids) in objects(of: rule.links) {
        guard alternatives.count * ids.count <= limit else {
          throw TooMany(entity: rule.scope.entity)
        }
        alternatives = alternatives.flatMap { comparisons in
          ids.map { comparisons + [link.comparison($0)] }
        }
      }
      for comparisons in alternatives {
        let scope = Scope(entity: rule.scope.entity, comparisons)
        if found.insert(scope).inserted { all.append(scope) }
      }
      guard all.count <= limit else { throw TooMany(entity: rule.scope.entity) }
    }
    return all
  }

  /// Returns the found objects of links.
  ///
  /// Links that find the objects of a rule themselves share one entry with the objects that all of them find.
  private func objects(of links: [ScopeLink]) -> [(ScopeLink, [UInt64])] {
    var all: [(ScopeLink, [UInt64])] = []
    var objects: (link: ScopeLink, ids: [UInt64])?
    for link in links {
      let ids = known[link]?.ids ?? []
      if case .toOne = link.relation {
        all.append((link, ids))
      } else if let (first, others) = objects {
        let others = Set(others)
        objects = (first, ids.filter(others.contains))
      } else {
        objects = (link, ids)
      }
    }
    return all + [objects].compactMap { $0.map { ($0.link, $0.ids) } }
  }
}

extension ScopeLink {
  /// A scope without objects that makes a session notice changed pairs; nil if the objects have no pairs of the link.
  ///
  /// The scopes of the targets make it notice changes of the targets' entity.
  fileprivate var pairs: Scope? {
    guard case .standalone(_, let entity) = relation else { return nil }
    return Scope(entity: entity, [Scope.Comparison(object: 0)])
  }

  /// Returns true for a change of pairs that the link may follow.
  fileprivate func isOfPairs(_ entry: LogEntry) -> Bool {
    guard entry.before == nil, entry.after == nil else { return false }
    switch relation {
    case .toOne, .toOneBacklink: return false
    case .standalone(_, let entity): return entry.key.entity == entity
    case .standaloneBacklink: return entry.key.entity == target
    }
  }
}
