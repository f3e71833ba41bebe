import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxGrouping
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

/// Every type of property on every surface of the embedded store, against plain arrays.
struct MatrixTests {
  private let matrix: MatrixStore

  init() throws { matrix = try MatrixStore() }

  @Test func `objects are read as they were put`() throws {
    let read = try matrix.rows.all()
    for column in matrix.columns {
      for (number, row) in read.enumerated() {
        #expect(column.isRead(row, number), "\(column.name), row \(number)")
      }
    }
  }

  @Test func `conditions match the rows with matching values`() throws {
    for column in matrix.columns {
      for condition in column.conditions {
        guard let typed = condition.typed else { continue }
        let query = try matrix.rows.query { typed }.build()
        let found = MatrixStore.numbers(try query.findIds())
        #expect(found == condition.expected, "\(column.name) \(condition.name)")
        #expect(try query.count() == condition.expected.count, "\(column.name) \(condition.name)")
        // Short ways to one object or a few; objects cost more than IDs.
        guard condition.name.hasPrefix("==") else { continue }
        let page = try query.find(offset: 1, limit: 2).map { Int($0.id) - 1 }
        let expected = condition.expected
        #expect(
          page == Array(expected.dropFirst().prefix(2)),
          "\(column.name) \(condition.name)"
        )
        let first = try query.findFirst().map { Int($0.id) - 1 }
        #expect(first == expected.first, "\(column.name) \(condition.name)")
        let objects = try query.find().map { Int($0.id) - 1 }
        #expect(objects == expected, "\(column.name) \(condition.name)")
      }
    }
  }

  @Test func `dynamic conditions match the same rows`() throws {
    for column in matrix.columns {
      let name = column.property
      for condition in column.conditions {
        guard let dynamic = condition.dynamic else { continue }
        let query = try matrix.dynamic.query { dynamic($0[name]) }.build()
        let found = try query.findIds().map { Int($0) - 1 }
        #expect(found == condition.expected, "\(name) \(condition.name)")
      }
    }
  }

  @Test(.tags(.slow))
  func `conditions in the words of their plans match the same rows in the tool`() throws {
    for column in matrix.columns {
      for condition in column.conditions {
        guard let typed = condition.typed else { continue }
        let description = try matrix.rows.query { typed }.build().debugDescription
        let start = try #require(description.range(of: "condition: "))
        let words = String(description[start.upperBound...].dropLast(2))
        // Long lists and bytes are described by their numbers.
        if words.contains("…") || words.contains(" bytes") { continue }
        let query = try StoreQuery("Row", condition: words, in: matrix.store).query
        #expect(try query.findIds().map { Int($0) - 1 } == condition.expected, "\(words)")
      }
    }
  }

  @Test(.tags(.slow))
  func `orders and pages follow the values, with nulls where the flags say`() throws {
    for column in matrix.columns {
      guard let order = column.order, let ordered = column.ordered else { continue }
      for flags in Column.orderings {
        let expected = column.numbers(flags)
        let query = try ordered(matrix.rows.query(), flags + order.flags).build()
        let found = MatrixStore.numbers(try query.findIds())
        #expect(found == expected, "\(column.name) \(flags)")
        var paged: [Int] = []
        var cursor: PageCursor?
        repeat {
          let page = try query.find(after: cursor, limit: 17)
          paged += page.objects.map { Int($0.id) - 1 }
          cursor = page.next
        } while cursor != nil
        #expect(paged == found, "\(column.name) \(flags) in pages")
        let some = MatrixStore.numbers(try query.findIds(offset: 5, limit: 9))
        #expect(some == Array(found.dropFirst(5).prefix(9)), "\(column.name) \(flags) with a limit")
      }
    }
  }

  @Test func `property queries, groups and updates have the values`() throws {
    for column in matrix.columns {
      for check in column.checks {
        do { try check.run(matrix) } catch {
          Issue.record("\(column.name), \(check.name): \(error)")
        }
      }
    }
  }
}
