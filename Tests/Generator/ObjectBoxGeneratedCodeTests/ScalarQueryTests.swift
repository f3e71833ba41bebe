import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Conditions on scalars that the matrix of types does not have.
struct ScalarQueryTests {
  private let folder: TemporaryDirectory
  private let box: Box<Everything>
  private let nothings: Box<Nothing>

  init() throws {
    folder = try TemporaryDirectory()
    let store = try Store(directoryPath: folder.path + "/store")
    (box, nothings) = (store.box(), store.box())
    for number in 1...3 {
      let object = Everything()
      object.int = number
      object.float = [-1.5, 0, 1.5][number - 1]
      object.double = [-.infinity, 0.1, .nan][number - 1]
      try box.put(object)
    }
  }

  private func ids(_ condition: QueryCondition<Everything>) throws -> [UInt64] {
    try box.query { condition }.build().findIds().map(\.value)
  }

  @Test func `a tolerance includes numbers at both sides`() throws {
    #expect(try ids(Everything.float.isEqual(to: 1.4, tolerance: 0.2)) == [3])
    #expect(try ids(Everything.float.isEqual(to: 0.75, tolerance: 0.75)) == [2, 3])
    #expect(try ids(Everything.double.isEqual(to: 0, tolerance: 0.2)) == [2])
    #expect(try ids(Everything.double.isEqual(to: 0, tolerance: .infinity)) == [1, 2])
  }

  @Test func `the ID is a property like others, and is looked up directly`() throws {
    let query = try box.query { Everything.id == 2 }.build()
    #expect(try query.findIds().map(\.value) == [2])
    #expect(try query.explain().hasPrefix("look-up of 1 ID"))
    #expect(try ids(Everything.id == 2 || Everything.int == 3) == [2, 3])
  }

  @Test func `an index by hashes of 64 bits is used`() throws {
    try nothings.put([.empty(), .empty()])
    let query = try nothings.query { Nothing.string == "s" }.build()
    #expect(try query.explain().hasPrefix("index on 'string' (hash64)"))
  }
}
