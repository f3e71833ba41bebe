/// A walk through an index of related objects, in the order of a query by one of their properties.
///
/// With a limit it reads the results that lead to the first related objects, rather than all
/// results.
struct RelatedWalk {
  /// The index of the related objects.
  var index: IndexDefinition { walk.definition }
  private let walk: IndexWalk
  private let relation: UInt32
  private let count: Int
  /// The number of objects after which sorting would have been cheaper.
  private let maxCount: Int

  /// Makes a walk; nil when no indexes have the order and the relation, or sorting is cheaper.
  ///
  /// Results whose value is null are in no index of the related objects, since most of them have no
  /// related object: they must come last.
  ///
  /// - Parameters:
  ///   - order: The only order of the query.
  ///   - plan: The plan without a walk.
  ///   - isFiltered: False when all objects are results.
  ///   - count: The number of wanted results; 0 for all.
  ///   - table: The entity of the results.
  ///   - transaction: The open transaction.
  /// - Throws: ``ObjectBoxError`` when the store cannot be read.
  init?(
    _ order: QueryOrder,
    _ plan: QueryPlan,
    isFiltered: Bool,
    count: Int,
    _ table: EntityTable,
    _ transaction: Transaction
  ) throws {
    guard count > 0, order.path.count == 1, order.has(.nullsLast),
      let target = transaction.file.table(entity: order.path[0].target),
      table.valueIndex(on: order.path[0].relationID) != nil
    else { return nil }
    var own = order
    own.path = []
    let all = try QueryPlanner(table: target, transaction: transaction).plan(nil)
    guard
      let walk = try IndexWalk(
        own,
        all,
        nil,
        count: 0,
        target,
        transaction.storage
      )
    else { return nil }
    self.walk = walk
    self.count = count
    relation = order.path[0].relationID
    if plan.total < QueryPlanner.fewObjects {
      maxCount = .max
      return
    }
    let met = IndexWalk.met(count, of: plan, isFiltered: isFiltered)
    guard met * Double(QueryPlanner.candidateCost) <= Double(plan.cost) else { return nil }
    maxCount = plan.cost / QueryPlanner.candidateCost / 2
  }

  /// Returns the IDs of the first results in order; nil when the walk finds too few of them, or
  /// reads too many objects.
  ///
  /// - Parameters:
  ///   - table: The entity of the results.
  ///   - transaction: The open transaction.
  ///   - isResult: Returns whether an object meets the condition.
  /// - Returns: Exactly the wanted number of IDs, or nil.
  /// - Throws: The errors of `isResult`, and ``ObjectBoxError`` when the store cannot be read.
  func ids(
    of table: EntityTable,
    in transaction: Transaction,
    where isResult: (UInt64) throws -> Bool
  ) throws -> [UInt64]? {
    let sources = ToOneSources(table, propertyID: relation, in: transaction.storage)
    var (ids, visited): ([UInt64], Int) = ([], 0)
    try walk.forEachValue(in: transaction.storage) { targets in
      var found: [UInt64] = []
      for target in targets {
        found += try sources.ids(referringTo: target)
        visited += 1
        guard visited + found.count <= maxCount else { return false }
      }
      if targets.count > 1 { found.sort() }
      visited += found.count
      for id in found where try isResult(id) {
        ids.append(id)
        if ids.count == count { return false }
      }
      return true
    }
    return ids.count == count ? ids : nil
  }
}
