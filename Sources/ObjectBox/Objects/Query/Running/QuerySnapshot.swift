/// What a query searches for, as a plain value.
struct QuerySnapshot: Sendable {
  private let entity: EntitySchema
  private let condition: Condition?
  private let orders: [QueryOrder]

  init<E>(_ query: Query<E>) {
    entity = query.entity
    condition = query.condition
    orders = query.orders
  }

  /// The numbers of the entities that links lead to.
  func entities(in file: StoreFile) -> Set<Int> {
    Set(condition?.linkTargets.compactMap { file.table(entity: $0)?.number } ?? [])
  }

  /// A query of its own for each run.
  func query<E>(_ box: Box<E>) -> Query<E> {
    Query(box: box, entity: entity, condition: condition, orders: orders)
  }
}
