/// A relation that a query loads together with its results.
package struct RelationInclusion: Sendable {
  /// The end of the relation at the results.
  let end: RelationEnd
  /// The related entity.
  package let target: EntityInfo
  private let related: any RelatedType

  init<S>(_ end: RelationEnd, to type: S.Type)
  where S: Entity & EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
    self.end = end
    target = S.entityInfo
    related = Related<S>()
  }

  /// Loads the relation of several objects, in an open transaction.
  ///
  /// Relations that are already loaded or changed stay as they are.
  ///
  /// - Parameters:
  ///   - hosts: The objects that have the relation, each once.
  ///   - store: The store that they were read from.
  ///   - transaction: The open transaction.
  /// - Throws: ``ObjectBoxError`` when the related objects cannot be read; then no to-many relation
  ///   is loaded.
  func load<E>(
    of hosts: UnsafeBufferPointer<E>,
    in store: Store,
    _ transaction: Transaction
  ) throws where E: EntityInspectable, E == E.EntityBindingType.EntityType {
    let load = related.load(of: end)
    let binding = E.entityBinding
    for index in hosts.indices { binding.visitRelations(of: hosts[index]) { load.add($0) } }
    guard let table = store.file.table(entity: target.entitySchemaId) else { return }
    try load.run(table, store, transaction)
  }
}

/// A related entity, for code that does not know its type.
private protocol RelatedType: Sendable {
  /// Returns an empty load of relations to the entity.
  func load(of end: RelationEnd) -> any RelationLoading
}

package struct Related<S>: RelatedType
where S: Entity & EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
  package func load(of end: RelationEnd) -> any RelationLoading { RelationLoad<S>(end) }
}

/// The relations of several objects at one end, which are loaded together.
package protocol RelationLoading: AnyObject {
  /// Adds a relation; ignores relations of another end, and loaded or changed ones.
  func add(_ relation: any __RelationInMemory)

  /// Loads the relations.
  func run(_ table: EntityTable, _ store: Store, _ transaction: Transaction) throws
}

/// The relations of several objects to the entity `S`, which are loaded together.
package final class RelationLoad<S>: RelationLoading
where S: Entity & EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
  private let end: RelationEnd
  /// The property of a to-one relation; nil for a to-many relation.
  private let property: UInt32?
  /// `ToOne<S>` or `ToMany<S>`; a cast would look up the metadata for each relation.
  private let type: ObjectIdentifier
  /// The relations, instances of `type`.
  @exclusivity(unchecked) private var relations: [AnyObject] = []
  /// For each relation, the target's ID (to-one) or the host's ID (to-many).
  @exclusivity(unchecked) private var ids: [UInt64] = []

  init(_ end: RelationEnd) {
    self.end = end
    if case .toOne(let property) = end {
      self.property = property
      type = ObjectIdentifier(ToOne<S>.self)
    } else {
      property = nil
      type = ObjectIdentifier(ToMany<S>.self)
    }
  }

  // Safe casts: `add` admits instances of the final class `type` only.

  private func toOne(_ relation: AnyObject) -> ToOne<S> { unsafeDowncast(relation, to: ToOne.self) }

  private func toMany(_ relation: AnyObject) -> ToMany<S> {
    unsafeDowncast(relation, to: ToMany.self)
  }

  package func add(_ relation: any __RelationInMemory) {
    guard ObjectIdentifier(Swift.type(of: relation)) == type else { return }
    if let property {
      let toOne = toOne(relation)
      guard toOne.propertyID == property, let id = toOne.lazyTarget?.id else { return }
      ids.append(id)
    } else {
      let toMany = toMany(relation)
      guard let link = toMany.link, link.end == end, link.host != 0, toMany.content == nil
      else { return }
      ids.append(link.host)
    }
    relations.append(relation)
  }

  package func run(_ table: EntityTable, _ store: Store, _ transaction: Transaction) throws {
    if ids.isEmpty { return }
    let reading = RelatedReading(table, store, transaction)
    if property != nil {
      let links = RelatedReading.sorted(ids.indices.map { (id: ids[$0], position: $0) })
      return try reading.forEachTarget(by: S.entityBinding, links) { position, kept in
        _ = toOne(relations[position]).resolve(ids[position], to: kept)
      }
    }
    let objects = CollectedObjects<S>()
    try reading.forEachRelated(by: S.entityBinding, end, ids) { position, object in
      objects.append(object, to: position)
    }
    objects.moveLists(count: ids.count) {
      toMany(relations[$0]).setContent(RelatedObjects(stored: $1))
    }
  }
}

/// Reads the related objects of many relations in the order of their IDs, in an open transaction.
private struct RelatedReading {
  /// A related object, and the position of the relation that it belongs to.
  typealias Link = (id: UInt64, position: Int)

  /// Cost of looking up a record or key, in records of a scan (approximate).
  private static let lookUpCost = 4

  private let table: EntityTable
  private let store: Store
  private let transaction: Transaction

  init(_ table: EntityTable, _ store: Store, _ transaction: Transaction) {
    self.table = table
    self.store = store
    self.transaction = transaction
  }

  /// Returns links in the order of the objects.
  static func sorted(_ links: [Link]) -> [Link] {
    let isSorted = zip(links, links.dropFirst()).allSatisfy { $0.id <= $1.id }
    return isSorted ? links : links.sorted { $0.id < $1.id }
  }

  /// Passes the objects of to-many relations, by ascending ID in each relation.
  ///
  /// - Parameters:
  ///   - binding: The binding of the related entity.
  ///   - end: The end of the relations.
  ///   - hosts: The object that each relation belongs to.
  ///   - body: Gets the position of a relation, and one of its objects.
  /// - Throws: ``ObjectBoxError`` when the relation or an object cannot be read.
  func forEachRelated<B: EntityBinding>(
    by binding: B,
    _ end: RelationEnd,
    _ hosts: [UInt64],
    _ body: (Int, B.EntityType) -> Void
  ) throws {
    let positions = hosts.indices.sorted { hosts[$0] < hosts[$1] }
    if case .toOneBacklink(let property) = end,
      try readsAll(property, of: hosts.count)
    {
      return try scanSources(by: binding, property, hosts, body)
    }
    let reader = try RelationReader(end, table, in: transaction)
    var links: [Link] = []
    try reader.forEachID(of: positions.map { hosts[$0] }) { index, id in
      links.append((id, positions[index]))
    }
    try forEachRecord(Self.sorted(links)) { position, record in
      guard let record else { return }
      body(position, try binding.object(of: record, in: table, store))
    }
  }

  /// Returns whether reading all objects costs less than looking up the objects that refer to the hosts.
  private func readsAll(_ property: UInt32, of hostCount: Int) throws -> Bool {
    guard let index = table.valueIndex(on: property) else { return true }
    let total = try table.count(in: transaction.storage)
    let pairs = try IndexScan(index, in: transaction.storage).count()
    // Estimate: each host has about the same number of objects.
    let hosts = transaction.file.tables.target(of: index.property)
    let hostTotal = try hosts?.count(in: transaction.storage) ?? hostCount
    let found = pairs / max(1, hostTotal) * hostCount
    return total <= (hostCount + found) * Self.lookUpCost
  }

  /// Passes the objects that refer to hosts; reads all objects of the entity.
  private func scanSources<B: EntityBinding>(
    by binding: B,
    _ property: UInt32,
    _ hosts: [UInt64],
    _ body: (Int, B.EntityType) -> Void
  ) throws {
    let positions = Dictionary(zip(hosts, hosts.indices)) { first, _ in first }
    var scan = try RecordScan(table, in: transaction)
    while let record = try scan.next() {
      guard let host = record.target(ofProperty: property), let position = positions[host] else {
        continue
      }
      body(position, try binding.object(of: record, in: table, store))
    }
  }

  /// Passes a new object for each link, by ascending ID; nil where it does not exist.
  ///
  /// - Parameters:
  ///   - binding: The binding of the related entity.
  ///   - links: Sorted by ID.
  ///   - body: Gets the position of a link's relation, and the object as a ``KeptTarget``.
  /// - Throws: ``ObjectBoxError`` when an object cannot be read.
  func forEachTarget<B: EntityBinding>(
    by binding: B,
    _ links: [Link],
    _ body: (Int, AnyObject?) -> Void
  ) throws {
    try forEachRecord(links) { position, record in
      guard let record else { return body(position, nil) }
      let object = try binding.object(of: record, in: table, store)
      body(position, KeptTarget.keep(object))
    }
  }

  /// Passes the record of each link, by ascending ID; nil where it does not exist.
  private func forEachRecord(
    _ links: [Link],
    _ body: (Int, RecordReader?) throws -> Void
  ) throws {
    let isScan = try table.count(in: transaction.storage) <= links.count * Self.lookUpCost
    var scan = try RecordScan(table, in: transaction)
    var isAtEnd = false
    var record: RecordReader?
    for link in links {
      if isScan {
        while !isAtEnd, record == nil || link.id > record?.id ?? 0 {
          record = try scan.next()
          isAtEnd = record == nil
        }
      } else if record?.id != link.id {
        record = try scan.record(id: link.id)
      }
      try body(link.position, record?.id == link.id ? record : nil)
    }
  }
}
