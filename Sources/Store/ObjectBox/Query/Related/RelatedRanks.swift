/// The places of related objects in an order, by their IDs: equal values have equal ranks.
///
/// An order by a property of related objects reads that property once for each of them, rather than
/// for each result.
struct RelatedRanks {
  /// The rank of null, and of an object that does not exist.
  static let null: UInt32 = 0
  /// Looking up an object costs as much as scanning this number.
  private static let lookUpCost = 4

  /// The ranks from 1 on by ID, if the IDs are dense.
  private var dense: [UInt32] = []
  private var sparse: [UInt64: UInt32] = [:]
  /// The rank of null.
  private var ofNull = Self.null

  /// Returns the rank of an object; 0 for the ID of no object.
  subscript(_ id: UInt64) -> UInt32 {
    id < dense.count ? dense[Int(id)] : sparse.isEmpty ? ofNull : sparse[id] ?? ofNull
  }

  /// Ranks the related objects of an order.
  ///
  /// - Parameters:
  ///   - wanted: The IDs of the first related objects, in any order and repeated; 0 for none.
  ///   - order: The order, by a property of related objects.
  ///   - transaction: The open transaction.
  /// - Throws: ``ObjectBoxError`` when the model lacks a part of the path, or the store cannot be read.
  init(
    of wanted: [UInt64],
    _ order: QueryOrder,
    in transaction: Transaction
  ) throws {
    guard let table = try order.tables(in: transaction.file).first else { return }
    guard order.path.count == 1 else {
      var rest = order
      rest.path.removeFirst()
      let relation = rest.path[0].relationID
      var pairs: [(id: UInt64, target: UInt64)] = []
      try Self.forEach(wanted, of: table, transaction) { record in
        pairs.append((record.id, record.target(ofProperty: relation) ?? 0))
      }
      let next = try Self(of: pairs.map(\.target), rest, in: transaction)
      ofNull = next.ofNull
      fill(pairs.map { (id: $0.id, rank: next[$0.target]) })
      return
    }
    // The values ascend whatever the direction of the order.
    var plain = order
    plain.path = []
    plain.flags &= ~(OrderFlags.descending.rawValue | OrderFlags.nullsLast.rawValue)
    let values = try ResultOrder([plain], entity: table.schema)
    var (ids, keys): ([UInt64], [ResultOrder.Key]) = ([], [])
    try Self.forEach(wanted, of: table, transaction) { record in
      ids.append(record.id)
      keys.append(values.firstKey(of: record))
    }
    if order.has(.nullsZero) { keys.append(try values.firstKey(ofNullIn: table)) }
    let ranks = KeyRanks.ranks(of: keys)
    if order.has(.nullsZero), let rank = ranks.last { ofNull = rank }
    fill(zip(ids, ranks).filter { $0.1 != Self.null }.map { (id: $0.0, rank: $0.1) })
  }

  private mutating func fill(_ ranks: [(id: UInt64, rank: UInt32)]) {
    let greatest = ranks.reduce(0) { max($0, $1.id) }
    if greatest < 4 * UInt64(ranks.count) + 1_024 {
      dense = [UInt32](repeating: ofNull, count: Int(greatest) + 1)
      for (id, rank) in ranks { dense[Int(id)] = rank }
    } else {
      sparse = Dictionary(uniqueKeysWithValues: ranks.map { ($0.id, $0.rank) })
    }
  }

  /// Calls a body with the records of the wanted objects; may call it with others too.
  private static func forEach(
    _ wanted: [UInt64],
    of table: EntityTable,
    _ transaction: Transaction,
    _ body: (RecordReader) throws -> Void
  ) throws {
    var scan = try RecordScan(table, in: transaction)
    if wanted.count * lookUpCost < (try table.count(in: transaction.storage)) {
      for id in Set(wanted).sorted() where id != 0 {
        if let record = try scan.record(id: id) { try body(record) }
      }
      return
    }
    while let record = try scan.next() { try body(record) }
  }
}

extension QueryOrder {
  /// Returns the tables of the related objects on the way to the property.
  func tables(in file: StoreFile) throws -> [EntityTable] {
    try path.map { step in
      guard let table = file.table(entity: step.target) else {
        throw ObjectBoxError.illegalArgument(
          message:
            "an order leads to entity \(step.target), which the model of the store lacks; run the generator again"
        )
      }
      return table
    }
  }

  /// Checks that the relations lead from an entity to the property.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when they do not.
  func check(on host: EntityTable, in file: StoreFile) throws {
    var table = host
    for (step, target) in zip(path, try tables(in: file)) {
      guard RelationEnd.toOne(property: step.relationID).leads(from: table, to: target, in: file)
      else {
        throw ObjectBoxError.illegalArgument(
          message:
            "an order names property \(step.relationID) of '\(table.name)', which is no relation to "
            + "'\(target.name)'; order by a to-one relation of the query's entity, and run the generator again if "
            + "it is one"
        )
      }
      table = target
    }
    var last = self
    last.path = []
    _ = try ResultOrder([last], entity: table.schema)
  }
}

/// Orders by properties of related objects.
extension QueryExecution {
  /// Returns the ordered IDs of the results; at least one order is by related objects.
  func idsByRelated(offset: Int, limit: Int) throws -> [UInt64] {
    if orders.count == 1 { return try idsByOneRelated(orders[0], offset: offset, limit: limit) }
    let related = orders.enumerated().filter { !$0.element.path.isEmpty }
    let order = try ResultOrder(orders, entity: table.schema)
    // Each related order first has the ID of the target as its key.
    var targets = [[UInt64]](repeating: [], count: related.count)
    var rows: [ResultOrder.Row] = []
    try forEach { record in
      for (index, element) in related.enumerated() {
        let id = record.target(ofProperty: element.element.path[0].relationID) ?? 0
        targets[index].append(id)
      }
      rows.append(order.row(of: record))
      return true
    }
    for (index, element) in related.enumerated() {
      let ranks = try RelatedRanks(of: targets[index], element.element, in: transaction)
      for place in rows.indices {
        rows[place].setRank(ranks[targets[index][place]], ofOrder: element.offset)
      }
    }
    return cut(order.sorted(rows), offset, limit)
  }

  /// Returns the IDs for a single order, without rows: sorts pairs of ranks and places.
  private func idsByOneRelated(_ order: QueryOrder, offset: Int, limit: Int) throws -> [UInt64] {
    let relation = order.path[0].relationID
    var ids: [UInt64] = []
    // First the targets, then the pairs, then the IDs in order.
    var results: [UInt64] = []
    try forEach { record in
      ids.append(record.id)
      results.append(record.target(ofProperty: relation) ?? 0)
      return true
    }
    let ranks = try RelatedRanks(of: results, order, in: transaction)
    let nulls: UInt64 = order.has(.nullsLast) ? UInt64(UInt32.max) : 0
    let isDescending = order.has(.descending)
    for index in results.indices {
      let rank = ranks[results[index]]
      let place =
        rank == RelatedRanks.null ? nulls : isDescending ? UInt64(UInt32.max - rank) : UInt64(rank)
      results[index] = place << 32 | UInt64(index)
    }
    // Equal ranks stay in the order of the IDs.
    SortedIDs.sort(&results, sortedBits: 32)
    for index in results.indices { results[index] = ids[Int(results[index] & UInt64(UInt32.max))] }
    return cut(results, offset, limit)
  }

  private func cut(_ ids: [UInt64], _ offset: Int, _ limit: Int) -> [UInt64] {
    if offset == 0, limit == 0 { return ids }
    let rest = ids.dropFirst(offset)
    return Array(limit > 0 ? rest.prefix(limit) : rest)
  }
}
