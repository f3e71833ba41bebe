import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Conditions on related rows, and orders by their properties.
struct RelationMatrixTests {
  private let matrix: MatrixStore<Row>
  private let holders: Box<Holder>

  init() throws {
    matrix = try MatrixStore()
    holders = matrix.store.box()
  }

  @Test(.tags(.slow)) func `links match the holders of matching rows, in both directions`() throws {
    for column in matrix.columns {
      try expectMatches(column.conditions.flatMap(\.links), column)
    }
  }

  private func expectMatches(_ conditions: [Column<Row>.Related], _ column: Column<Row>) throws {
    for related in conditions {
      let query = try holders.query { related.condition }.build()
      #expect(
        Matrix.numbers(try query.findIds()) == related.matching(),
        "\(column.name): \(related.name)"
      )
    }
  }

  @Test func `orders follow the values of related rows`() throws {
    for column in matrix.columns {
      guard let order = column.order, let ordered = column.orderedOfHolders else { continue }
      for flags in Matrix.orderings {
        let query = try ordered(holders.query(), flags + order.flags).build()
        // A holder without a row has no value, as a row with null.
        let isFirst = !flags.contains(.nullsLast)
        let sign = flags.contains(.descending) ? -1 : 1
        let hasNulls = column.name.hasPrefix("maybe ")
        func place(_ holder: Int) -> (Int, Int, Int) {
          let rank = Holder.first(of: holder).map { order.ranks[$0] }
          guard let rank, !(hasNulls && rank == 0) else { return (isFirst ? 0 : 2, 0, holder) }
          return (1, sign * rank, holder)
        }
        let expected = (0..<Holder.count).sorted { place($0) < place($1) }
        #expect(
          Matrix.numbers(try query.findIds()) == expected,
          "\(column.name) \(flags)"
        )
      }
    }
  }

  @Test func `sums, means, extremes and numbers of related rows match the holders with them`()
    throws
  {
    for column in matrix.columns { try expectMatches(column.related, column) }
  }
}
