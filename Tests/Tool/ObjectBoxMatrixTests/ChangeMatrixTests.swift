import ObjectBox
import ObjectBoxLive
import Testing

/// Changes that observers of objects and results see.
struct ChangeMatrixTests {
  @Test(.timeLimit(.minutes(5)))
  func `an observed object changes from the values of each row to those of the next`() async throws
  {
    try await expectChanges(MatrixStore<Row>())
    try await expectChanges(MatrixStore<RowValue>())
  }

  private func expectChanges<E>(_ matrix: MatrixStore<E>) async throws {
    var object = try #require(try matrix.rows.get(1 as Id))
    var changes = try matrix.rows.changes(of: 1 as Id).makeAsyncIterator()
    for number in 1..<Matrix.count {
      for column in matrix.columns { column.fill(&object, number) }
      try matrix.rows.put(object)
      guard case .change(let properties) = await changes.next() else {
        Issue.record("row \(number) is no change")
        return
      }
      let byName = Dictionary(properties.map { ($0.name, $0) }) { first, _ in first }
      #expect(properties.count == byName.count)
      for column in matrix.columns {
        let change = byName[column.property]
        #expect(
          column.isChange(change, number - 1, number),
          "\(column.name), row \(number): \(String(describing: change))"
        )
      }
    }
  }
}
