import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxGrouping
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

/// Every type of property on every surface of the embedded store, against plain arrays.
struct MatrixTests {
  @Test func `objects of classes and structs are read as they were put, new and again`() throws {
    try expectReads(MatrixStore<Row>())
    try expectReads(MatrixStore<RowValue>())
  }

  private func expectReads<E>(_ matrix: MatrixStore<E>) throws {
    func expect(_ rows: [E], _ step: Int) throws {
      try #require(rows.count == Matrix.count)
      for column in matrix.columns {
        for (number, row) in rows.enumerated() {
          #expect(
            column.isRead(row, (number + step) % Matrix.count),
            "\(column.name), row \(number)"
          )
        }
      }
    }
    var rows = try matrix.rows.all()
    try expect(rows, 0)
    // Nulls get values, and values nulls.
    for number in rows.indices {
      for column in matrix.columns { column.fill(&rows[number], (number + 1) % Matrix.count) }
    }
    try matrix.rows.put(rows)
    try expect(try matrix.rows.all(), 1)
    matrix.store.close()
    let store = try Store(directoryPath: matrix.path)
    try expect(try store.box(for: E.self).all(), 1)
    store.close()
  }

  @Test(.tags(.slow)) func `conditions match the rows with matching values`() throws {
    try expectMatches(MatrixStore<Row>())
  }

  @Test func `conditions match structs with equal values`() throws {
    // Other conditions make no objects.
    try expectMatches(MatrixStore<RowValue>(), where: { $0.name.hasPrefix("==") })
  }

  private func expectMatches<E>(
    _ matrix: MatrixStore<E>,
    where isTested: (Column<E>.Condition) -> Bool = { _ in true }
  ) throws {
    for column in matrix.columns {
      for condition in column.conditions where isTested(condition) {
        guard let typed = condition.typed else { continue }
        let query = try matrix.rows.query { typed }.build()
        let found = Matrix.numbers(try query.findIds())
        let expected = condition.expected
        #expect(found == expected, "\(column.name) \(condition.name)")
        #expect(try query.count() == expected.count, "\(column.name) \(condition.name)")
        // Short ways to one object or a few; objects cost more than IDs.
        guard condition.name.hasPrefix("==") else { continue }
        let page = try query.find(offset: 1, limit: 2).map { Int($0.id) - 1 }
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

  @Test func `dynamic objects have the values, and are put with them`() throws {
    let matrix = try MatrixStore<Row>()
    for object in try matrix.dynamic.all() {
      let number = Int(object.id) - 1
      for column in matrix.columns {
        let value = object[column.property]
        #expect(column.isStored(value, number), "\(column.name), row \(number)")
      }
      let values = matrix.columns.map { ($0.property, object[$0.property]) }
      let id = try matrix.dynamic.put(Dictionary(uniqueKeysWithValues: values))
      let copy = try #require(try matrix.rows.get(id))
      for column in matrix.columns {
        #expect(column.isRead(copy, number), "\(column.name), row \(number)")
      }
    }
  }

  @Test func `dynamic conditions match the same rows`() throws {
    let matrix = try MatrixStore<Row>()
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
    let matrix = try MatrixStore<Row>()
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
    let matrix = try MatrixStore<Row>()
    for column in matrix.columns {
      guard let order = column.order, let ordered = column.ordered else { continue }
      for flags in Matrix.orderings {
        let expected = column.numbers(flags)
        let query = try ordered(matrix.rows.query(), flags + order.flags).build()
        let found = Matrix.numbers(try query.findIds())
        #expect(found == expected, "\(column.name) \(flags)")
        var paged: [Int] = []
        var cursor: PageCursor?
        repeat {
          let page = try query.find(after: cursor, limit: 17)
          paged += page.objects.map { Int($0.id) - 1 }
          cursor = page.next
        } while cursor != nil
        #expect(paged == found, "\(column.name) \(flags) in pages")
        let some = Matrix.numbers(try query.findIds(offset: 5, limit: 9))
        #expect(some == Array(found.dropFirst(5).prefix(9)), "\(column.name) \(flags) with a limit")
      }
    }
  }

  @Test func `property queries, groups, updates and frozen objects have the values`() throws {
    try expectChecks(MatrixStore<Row>())
  }

  @Test func `updates of structs and frozen structs have the values`() throws {
    try expectChecks(MatrixStore<RowValue>(), where: { $0.isOfObjects })
  }

  private func expectChecks<E>(
    _ matrix: MatrixStore<E>,
    where isTested: (Column<E>.Check) -> Bool = { _ in true }
  ) throws {
    for column in matrix.columns {
      for check in column.checks where isTested(check) {
        do { try check.onStore?(matrix) } catch {
          Issue.record("\(column.name), \(check.name): \(error)")
        }
      }
    }
  }
}
