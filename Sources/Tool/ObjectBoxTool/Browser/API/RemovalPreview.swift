internal import ObjectBox
internal import ObjectBoxDynamic

/// The effects of a removal by the model's delete rules, before it happens.
///
/// It follows the rules like the removal itself. Counts end at ``bound``.
struct RemovalPreview {
  /// The greatest number that is counted; more are "more than".
  static let bound = 1_000

  /// Objects that a removal affects by one relation, or that it removes too.
  struct Effect {
    var entity: String
    /// The relation; nil for the objects that are removed too.
    var relation: Link?
    var count: Int
    /// One of the objects.
    var example: UInt64 = 0

    /// The count, at most ``bound``.
    var shownCount: Int { min(count, RemovalPreview.bound) }
    var isMore: Bool { count > RemovalPreview.bound }
  }

  /// A relation at one end of a removed object.
  struct Link {
    enum Kind: String {
      /// A to-one relation of other objects.
      case toOne
      /// A standalone relation of the removed object.
      case own
      /// A standalone relation of other objects.
      case incoming
    }

    var kind: Kind
    /// The entity that has the relation.
    var owner: EntitySchema
    var name: String
    var rule: DeleteRule
    /// The entity of the affected objects.
    var other: EntitySchema
  }

  private(set) var count = 0
  private(set) var removed: [Effect] = []
  private(set) var disconnected: [Effect] = []
  private(set) var refusals: [Effect] = []
  /// True if more objects are removed than are followed, so that further effects are unknown.
  private(set) var isCut = false

  private let version: any ContentVersion
  private let shape: Store
  private var known: [String: Set<UInt64>] = [:]

  /// Computes the effects of a removal.
  init(
    _ ids: [UInt64],
    of entity: EntitySchema,
    in version: any ContentVersion,
    _ shape: Store
  ) throws {
    self.version = version
    self.shape = shape
    let asked = try existing(ids, of: entity)
    count = asked.count
    known[entity.name] = Set(asked)
    try followCascades(from: asked, of: entity)
    for removed in shape.schema.entities {
      guard let ids = known[removed.name], !ids.isEmpty else { continue }
      for link in links(of: removed) where link.rule != .cascade {
        try addEffect(of: link, on: removed, Array(ids))
      }
      let others = ids.count - (removed.name == entity.name ? count : 0)
      if others > 0 { self.removed.append(Effect(entity: removed.name, count: others)) }
    }
  }

  private func existing(_ ids: [UInt64], of entity: EntitySchema) throws -> [UInt64] {
    guard let idName = entity.idProperty?.name else { return [] }
    let query = try shape.box(named: entity.name).query { $0[idName].isIn(ids) }.build()
    var found: [UInt64] = []
    try version.forEachRecord(of: query, after: nil, limit: 0) { found.append($0.objectID) }
    return found
  }

  private mutating func followCascades(from ids: [UInt64], of entity: EntitySchema) throws {
    var frontier = [(entity: entity, ids: ids)]
    var rest = Self.bound + 1
    while let (entity, ids) = frontier.popLast() {
      for link in links(of: entity) where link.rule == .cascade {
        let found = try connected(by: link, to: entity, ids, limit: rest)
        guard !found.isEmpty else { continue }
        known[link.other.name, default: []].formUnion(found)
        rest -= found.count
        guard rest > 0 else {
          isCut = true
          return
        }
        frontier.append((link.other, found))
      }
    }
  }

  private mutating func addEffect(
    of link: Link,
    on entity: EntitySchema,
    _ ids: [UInt64]
  ) throws {
    let found = try connected(by: link, to: entity, ids, limit: Self.bound + 1)
    guard let first = found.first else { return }
    let effect = Effect(entity: link.other.name, relation: link, count: found.count, example: first)
    if link.rule == .restrict { refusals.append(effect) } else { disconnected.append(effect) }
  }

  /// The relations to and from an entity.
  private func links(of entity: EntitySchema) -> [Link] {
    var links: [Link] = []
    for owner in shape.schema.entities {
      for property in owner.properties
      where property.type == .relation && property.targetEntityName == entity.name {
        links.append(
          Link(
            kind: .toOne,
            owner: owner,
            name: property.name,
            rule: property.onDelete,
            other: owner
          )
        )
      }
      for relation in owner.relations {
        func add(_ kind: Link.Kind, _ rule: DeleteRule, _ other: EntitySchema) {
          links.append(
            Link(kind: kind, owner: owner, name: relation.title, rule: rule, other: other)
          )
        }
        if owner.name == entity.name,
          let target = shape.schema.index(ofEntity: relation.target.id)
        {
          add(.own, relation.onDelete, shape.schema.entities[target])
        }
        if relation.target.id == entity.identity.id {
          add(.incoming, relation.onTargetDelete, owner)
        }
      }
    }
    return links
  }

  /// Returns the objects at the other ends of a relation that are not removed, by ascending ID.
  private func connected(
    by link: Link,
    to entity: EntitySchema,
    _ ids: [UInt64],
    limit: Int
  ) throws -> [UInt64] {
    guard let idName = entity.idProperty?.name, let otherID = link.other.idProperty?.name else {
      return []
    }
    let query = try shape.box(named: link.other.name).query { properties in
      let condition =
        switch link.kind {
        case .toOne: properties[link.name].isIn(ids)
        case .own: properties.link(from: link.owner.name, link.name) { $0[idName].isIn(ids) }
        case .incoming: properties[link.name].link { $0[idName].isIn(ids) }
        }
      let removed = known[link.other.name] ?? []
      return removed.isEmpty ? condition : condition && properties[otherID].isNotIn(Array(removed))
    }.build()
    var found: [UInt64] = []
    try version.forEachRecord(of: query, after: nil, limit: limit) { found.append($0.objectID) }
    return found
  }
}
