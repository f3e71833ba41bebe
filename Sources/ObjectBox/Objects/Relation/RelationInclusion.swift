/// A relation that a query loads together with its results.
struct RelationInclusion: Sendable {
  /// The end of the relation at the results.
  let end: RelationEnd
  /// The related entity.
  let target: EntityInfo
  private let related: any RelatedType

  init<S>(_ end: RelationEnd, to type: S.Type)
  where S: Entity & EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
    self.end = end
    target = S.entityInfo
    related = Related<S>()
  }

  /// Loads the relation of several objects, in an open transaction.
  ///
  /// Relations that are loaded already, or were changed, stay as they are.
  ///
  /// - Parameters:
  ///   - hosts: The objects that have the relation, each once.
  ///   - store: The store that they were read from.
  ///   - transaction: The open transaction.
  /// - Throws: ``ObjectBoxError`` when the related objects cannot be read; no to-many relation is loaded then.
  func load<E>(of hosts: some Sequence<E>, in store: Store, _ transaction: Transaction) throws
  where E: EntityInspectable, E == E.EntityBindingType.EntityType {
    let load = related.load(of: end)
    let binding = E.entityBinding
    for host in hosts { binding.visitRelations(of: host) { load.add($0) } }
    guard let table = store.file.table(entity: target.entitySchemaId) else { return }
    try load.run(table, store, transaction)
  }
}

/// A related entity, for code that does not know its type.
private protocol RelatedType: Sendable {
  /// Returns a load of relations to the entity, without any yet.
  func load(of end: RelationEnd) -> any RelationLoading
}

private struct Related<S>: RelatedType
where S: Entity & EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
  func load(of end: RelationEnd) -> any RelationLoading { RelationLoad<S>(end) }
}

/// The relations of several objects at one end, which are loaded together.
private protocol RelationLoading: AnyObject {
  /// Adds a relation, unless it is of another end, loaded or changed.
  func add(_ relation: any __RelationInMemory)

  /// Loads the relations.
  func run(_ table: EntityTable, _ store: Store, _ transaction: Transaction) throws
}

/// The relations of several objects to the entity `S`, which are loaded together.
///
/// A class, since it collects relations of a type that its user does not know.
private final class RelationLoad<S>: RelationLoading
where S: Entity & EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
  private let end: RelationEnd
  private var toOnes: [ToOne<S>] = []
  private var toManys: [ToMany<S>] = []
  /// The object IDs of the relation at each position: targets of to-one relations, hosts of the others.
  private var ids: [UInt64] = []

  init(_ end: RelationEnd) {
    self.end = end
  }

  func add(_ relation: any __RelationInMemory) {
    if case .toOne(let property) = end {
      guard let toOne = relation as? ToOne<S>, toOne.propertyID == property,
        let id = toOne.lazyTarget?.id
      else { return }
      toOnes.append(toOne)
      ids.append(id)
    } else {
      guard let toMany = relation as? ToMany<S>, let link = toMany.link, link.end == end,
        link.host != 0, toMany.content == nil
      else { return }
      toManys.append(toMany)
      ids.append(link.host)
    }
  }

  func run(_ table: EntityTable, _ store: Store, _ transaction: Transaction) throws {
    if ids.isEmpty { return }
    let reading = RelatedReading(table, store, transaction)
    if case .toOne = end {
      let links = RelatedReading.sorted(ids.indices.map { (id: ids[$0], position: $0) })
      return try reading.forEachObject(by: S.entityBinding, links) { position, object in
        _ = toOnes[position].resolve(ids[position], to: object)
      }
    }
    let objects = CollectedObjects<S>()
    try reading.forEachRelated(by: S.entityBinding, end, ids) { position, object in
      objects.append(object, to: position)
    }
    objects.moveLists(count: ids.count) { toManys[$0].setContent(RelatedObjects(stored: $1)) }
  }
}

/// Reads the related objects of many relations in the order of their IDs, in an open transaction.
private struct RelatedReading {
  /// A related object, and the position of the relation that it belongs to.
  typealias Link = (id: UInt64, position: Int)

  /// The approximate cost of looking up a record or a key, in records of a scan.
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

  /// Passes the objects of to-many relations, for each relation in the order of their IDs.
  ///
  /// - Parameters:
  ///   - binding: The binding of the related entity.
  ///   - end: The end of the relations.
  ///   - hosts: The object that each relation belongs to.
  ///   - body: Is passed the position of a relation, and one of its objects.
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
    try forEachObject(by: binding, Self.sorted(links)) { position, object in
      if let object { body(position, object) }
    }
  }

  /// Returns whether reading all objects costs less than looking up those that refer to a number of hosts.
  private func readsAll(_ property: UInt32, of hostCount: Int) throws -> Bool {
    guard let index = table.valueIndex(on: property) else { return true }
    let total = try table.count(in: transaction.storage)
    let pairs = try IndexScan(index, in: transaction.storage).count()
    // About as many of them lead to each host.
    let hosts = transaction.file.tables.first { $0.name == index.property.targetEntityName }
    let hostTotal = try hosts?.count(in: transaction.storage) ?? hostCount
    let found = pairs / max(1, hostTotal) * hostCount
    return total <= (hostCount + found) * Self.lookUpCost
  }

  /// Passes the objects that refer to hosts, by reading all objects of the entity.
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

  /// Passes a new object for each link, in the order of their IDs; nil where there is none.
  ///
  /// - Parameters:
  ///   - binding: The binding of the related entity.
  ///   - links: Sorted by ID.
  ///   - body: Is passed the position of a link's relation, and the object.
  /// - Throws: ``ObjectBoxError`` when an object cannot be read.
  func forEachObject<B: EntityBinding>(
    by binding: B,
    _ links: [Link],
    _ body: (Int, B.EntityType?) -> Void
  ) throws {
    let isScan = try table.count(in: transaction.storage) <= links.count * Self.lookUpCost
    var scan = try RecordScan(table, in: transaction)
    var isAtEnd = false
    var record: FlatBufferReader?
    for link in links {
      if isScan {
        while !isAtEnd, record == nil || link.id > record?.id ?? 0 {
          record = try scan.next()
          isAtEnd = record == nil
        }
      } else if record?.id != link.id {
        record = try scan.record(id: link.id)
      }
      if let record, record.id == link.id {
        body(link.position, try binding.object(of: record, in: table, store))
      } else {
        body(link.position, nil)
      }
    }
  }
}
