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
      for condition in column.conditions {
        guard let typed = condition.typed else { continue }
        let rows = Set(condition.expected)
        let first = try holders.query { Holder.first.link { typed } }.build()
        let byFirst = (0..<Holder.count).filter { holder in
          Holder.first(of: holder).map(rows.contains) ?? false
        }
        #expect(
          Matrix.numbers(try first.findIds()) == byFirst,
          "\(column.name) \(condition.name)"
        )
        let any = try holders.query { Holder.rows.link { typed } }.build()
        let byRows = Set(rows.map(Holder.holder)).sorted()
        #expect(
          Matrix.numbers(try any.findIds()) == byRows,
          "\(column.name) \(condition.name)"
        )
        let several = try holders.query { Holder.rows.count { typed } > 1 }.build()
        let bySeveral = byRows.filter { holder in
          rows.count { Holder.holder(of: $0) == holder } > 1
        }
        #expect(
          Matrix.numbers(try several.findIds()) == bySeveral,
          "\(column.name) \(condition.name)"
        )
      }
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
    for column in matrix.columns {
      for related in column.related {
        let query = try holders.query { related.condition }.build()
        #expect(
          Matrix.numbers(try query.findIds()) == related.matching(),
          "\(column.name): \(related.name)"
        )
      }
    }
  }
}
