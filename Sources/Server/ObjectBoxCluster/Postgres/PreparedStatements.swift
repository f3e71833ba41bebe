/// The statements that a connection has prepared; the oldest are dropped at the limit.
struct PreparedStatements {
  private static let limit = 256

  private var names: [String: String] = [:]
  private var order: [String] = []
  private var count = 0

  /// Returns the name of a prepared statement; nil when it is not prepared.
  subscript(sql: String) -> String? { names[sql] }

  /// Assigns the name under which a statement is prepared.
  mutating func add(_ sql: String) -> String {
    count += 1
    let name = "o\(count)"
    names[sql] = name
    order.append(sql)
    return name
  }

  /// Removes the oldest statements above the limit.
  ///
  /// - Returns: Statements that make the server remove them too.
  mutating func takeSurplus() -> [Statement] {
    guard order.count > Self.limit else { return [] }
    let surplus = order.prefix(order.count - Self.limit * 3 / 4)
    order.removeFirst(surplus.count)
    return surplus.compactMap { names.removeValue(forKey: $0) }
      .map { Statement(once: "DEALLOCATE \($0)") }
  }

  /// Removes statements that the server may not have prepared.
  mutating func forget(_ statements: some Sequence<Statement>) {
    let texts = Set(statements.filter(\.isPrepared).map(\.sql))
    for text in texts { names[text] = nil }
    order.removeAll { texts.contains($0) }
  }
}
