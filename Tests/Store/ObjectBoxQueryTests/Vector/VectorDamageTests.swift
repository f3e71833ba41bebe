import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// Any number of a stored graph can be damaged; searches and writes report it.
struct VectorDamageTests {
  private static let nodeCount = 40

  /// A change of the bytes under an ID; nil removes them.
  struct Damage: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let id: UInt64
    let change: @Sendable ([UInt8]) -> [UInt8]?
  }

  private static func bytes<T: FixedWidthInteger>(_ number: T) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) }
  }

  private static func replacing(_ bytes: [UInt8], _ new: [UInt8], at place: Int) -> [UInt8] {
    var bytes = bytes
    bytes.replaceSubrange(place..<place + new.count, with: new)
    return bytes
  }

  private static func header(
    _ text: String,
    _ change: @escaping @Sendable ([UInt8]) -> [UInt8]?
  ) -> Damage {
    Damage(testDescription: "header: " + text, id: 0, change: change)
  }

  private static func node(
    _ text: String,
    _ change: @escaping @Sendable ([UInt8]) -> [UInt8]?
  ) -> Damage {
    Damage(testDescription: "node: " + text, id: 7, change: change)
  }

  static let damages: [Damage] = [
    header("missing") { _ in nil },
    header("empty") { _ in [] },
    header("another form") { replacing($0, [9], at: 0) },
    header("cut") { Array($0.dropLast()) },
    header("a level above all") { replacing($0, [255], at: 1) },
    header("a level beyond the entry") { replacing($0, [$0[1] + 1], at: 1) },
    header("begins at 0") { replacing($0, bytes(UInt64(0)), at: 2) },
    header("begins at no node") { replacing($0, bytes(UInt64(99_999)), at: 2) },
    header("begins at the highest number") { replacing($0, bytes(UInt64.max), at: 2) },
    header("counts 0") { replacing($0, bytes(UInt64(0)), at: 10) },
    header("counts -1") { replacing($0, bytes(Int64(-1)), at: 10) },
    header("counts the least number") { replacing($0, bytes(Int64.min), at: 10) },
    header("counts the greatest number") { replacing($0, bytes(Int64.max), at: 10) },
    header("counts too many") { replacing($0, bytes(UInt64(nodeCount + 1)), at: 10) },
    node("missing") { _ in nil },
    node("empty") { _ in [] },
    node("on no level") { replacing($0, [0], at: 0) },
    node("on 255 levels") { replacing($0, [255], at: 0) },
    node("too many links") { replacing($0, bytes(UInt32(5000)), at: 1) },
    node("the greatest number of links") { replacing($0, bytes(UInt32.max), at: 1) },
    node("too few links") { replacing($0, bytes(UInt32(1)), at: 1) },
    node("linked with 0") { replacing($0, bytes(UInt64(0)), at: 5) },
    node("linked with itself") { replacing($0, bytes(UInt64(7)), at: 5) },
    node("linked with nothing") { replacing($0, bytes(UInt64(99_999)), at: 5) },
    node("cut") { Array($0.dropLast(3)) },
    node("longer") { $0 + [0] },
  ]

  /// Opens a store with a damaged graph.
  private static func damaged(_ damage: Damage) throws -> SightStore {
    let index = SightIndex()
    let sights = try SightStore(index)
    try sights.box.put((1...nodeCount).map { Sight([Float($0), 0]) })
    try sights.reopen(index) {
      let environment = try StorageEnvironment(
        directory: sights.path,
        options: StorageEnvironment.Options(mapSizeInBytes: 1 << 28, maximumTableCount: 8)
      )
      defer { environment.close() }
      let writing = try environment.beginWrite()
      let table = try #require(try writing.openTable("v1", .objects, create: false))
      let old = [UInt8](try #require(try writing.get(table, id: damage.id)))
      if let new = damage.change(old) {
        try new.withUnsafeBytes { try writing.put(table, id: damage.id, record: $0) }
      } else {
        _ = try writing.delete(table, id: damage.id)
      }
      try writing.commit()
    }
    return sights
  }

  /// Returns whether a use of the index reports damage; a use that does not meet it returns false.
  private static func use(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return false
    } catch ObjectBoxError.fileCorrupt(let message) {
      #expect(message.contains("'Sight.vector'"), "\(message)")
      return true
    } catch {
      Issue.record("\(error)")
      return false
    }
  }

  @Test(.onPlainFiles("changes the tables of a closed store"), arguments: damages)
  func `damage is told with the entity and the property by whatever comes by it`(
    _ damage: Damage
  ) throws {
    let sights = try Self.damaged(damage)
    var isTold = Self.use { _ = try sights.nearest(to: [7, 0], 10) }
    isTold = Self.use { try sights.box.put(Sight([7.5, 0])) } || isTold
    let moved = Sight([8.5, 0])
    moved.id = 7
    isTold = Self.use { try sights.box.put(moved) } || isTold
    isTold = Self.use { try sights.box.remove(7 as Id) } || isTold
    isTold = Self.use { try sights.box.remove([Id](1...40)) } || isTold
    #expect(isTold)
  }

  @Test(.onPlainFiles("changes the tables of a closed store"))
  func `a search over many nodes tells of damage`() throws {
    let index = SightIndex(neighborsPerNode: 4)
    let sights = try SightStore(index)
    let grid = (0..<1200).map { (place: Int) -> Sight in
      Sight([Float(place % 40), Float(place / 40)])
    }
    try sights.box.put(grid)
    try sights.reopen(index) {
      let environment = try StorageEnvironment(
        directory: sights.path,
        options: StorageEnvironment.Options(mapSizeInBytes: 1 << 28, maximumTableCount: 8)
      )
      defer { environment.close() }
      let writing = try environment.beginWrite()
      let table = try #require(try writing.openTable("v1", .objects, create: false))
      for id in 1...1200 as ClosedRange<UInt64> {
        let old = [UInt8](try #require(try writing.get(table, id: id)))
        let new = Self.replacing(old, Self.bytes(UInt64(0)), at: 5)
        try new.withUnsafeBytes { try writing.put(table, id: id, record: $0) }
      }
      try writing.commit()
    }
    #expect(Self.use { _ = try sights.nearest(to: [7, 0], 10) })
  }
}
