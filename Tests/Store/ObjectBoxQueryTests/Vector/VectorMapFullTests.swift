import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// Commits write the graph of an index, and may then find the file full.
///
/// Run under the address sanitizer to detect use of freed memory.
struct VectorMapFullTests {
  private static let count = 600

  private static func sights() -> [Sight] {
    (0..<count).map { (place: Int) -> Sight in Sight([Float(place % 25), Float(place / 25)]) }
  }

  /// The records fit, but not the links of their nodes.
  private static func store() throws -> SightStore { try SightStore(sizeInKilobytes: 192) }

  private static func expectFull(_ error: (any Error)?) {
    guard case .dbFull? = error as? ObjectBoxError else {
      Issue.record("the file was not full: \(String(describing: error))")
      return
    }
  }

  private static func expectUsable(_ sights: SightStore) throws {
    #expect(try sights.box.count() == 0)
    #expect(try sights.box.vectorIndexFaults() == [])
    try sights.box.put([Sight([1, 1]), Sight([2, 2])])
    #expect(try sights.nearest(to: [3, 3], 1).count == 1)
    #expect(try sights.box.vectorIndexFaults() == [])
  }

  @Test func `a commit that finds the file full leaves a usable store`() throws {
    let sights = try Self.store()
    var isReached = false
    let error = #expect(throws: ObjectBoxError.self) {
      try sights.store.runInTransaction {
        try sights.box.put(Self.sights())
        isReached = true
      }
    }
    #expect(isReached)
    Self.expectFull(error)
    try Self.expectUsable(sights)
  }

  @Test func `a write that is ended by a call and finds the file full leaves a usable store`()
    throws
  {
    let sights = try Self.store()
    let transaction = try sights.store.beginWrite()
    let new = Self.sights()
    try transaction.put(new)
    Self.expectFull(#expect(throws: ObjectBoxError.self) { try transaction.commitWrite() })
    #expect(new.allSatisfy { $0.id == 0 })
    try Self.expectUsable(sights)
  }

  @Test func `asynchronous writes of which one finds the file full are committed but for that one`()
    async throws
  {
    let sights = try Self.store()
    let store = sights.store
    async let first: Void = store.write { transaction in
      try transaction.put(Sight([1, 2]))
    }
    async let second: Void = store.write { transaction in
      try transaction.put(Self.sights())
    }
    async let third: Void = store.write { transaction in
      try transaction.put(Sight([3, 4]))
    }
    try await first
    do {
      try await second
      Issue.record("the file was not full")
    } catch {
      Self.expectFull(error)
    }
    try await third
    #expect(try sights.box.count() == 2)
    #expect(try sights.box.vectorIndexFaults() == [])
  }
}
