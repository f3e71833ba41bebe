import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Three texts that a binding prepares in any order.
private struct Scrambled: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Scrambled
  typealias EntityBindingType = ScrambledBinding
  static let entityInfo = EntityInfo(name: "Scrambled", id: 1)
  static let entityBinding = ScrambledBinding()

  var id: Id = 0
  var texts: [String?] = [nil, nil, nil]
  /// The numbers of the texts in the order of preparation; 3 is a text of no property.
  var order: [Int] = []
  /// True when the second property takes the value prepared for the first.
  var isShared = false

  var _id: EntityId<Scrambled> { EntityId(id) }
}

private final class ScrambledBinding: EntityBinding, Sendable {
  typealias EntityType = Scrambled
  typealias IdType = Id
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setStructEntityId(of entity: inout Scrambled, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Scrambled) -> Id { entity.id }
  func collect(
    fromEntity entity: Scrambled,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    var offsets: [OBXDataOffset] = [0, 0, 0, 0]
    for number in entity.order {
      let text = number == 3 ? "of no property" : entity.texts[number]
      offsets[number] = propertyCollector.prepare(string: text)
    }
    if entity.isShared { offsets[1] = offsets[0] }
    propertyCollector.collect(id, at: 4)
    for number in 0..<3 {
      propertyCollector.collect(dataOffset: offsets[number], at: UInt16(6 + 2 * number))
    }
  }
  func createEntity(entityReader: RecordReader, store: Store) -> Scrambled {
    Scrambled(
      id: entityReader.read(at: 4),
      texts: [entityReader.read(at: 6), entityReader.read(at: 8), entityReader.read(at: 10)]
    )
  }
}

@Suite struct BindingOrderTests {
  private let folder: TemporaryDirectory
  private let box: Box<Scrambled>

  init() throws {
    folder = try TemporaryDirectory()
    let builder = try ModelBuilder()
    let entity = try builder.entityBuilder(for: Scrambled.self, id: 1, uid: 1)
    try entity.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 2)
    for number in 0..<3 as Range<UInt32> {
      let id = 2 + number
      try entity.addProperty(name: "text\(number)", type: .string, id: id, uid: UInt64(id) + 1)
    }
    try entity.lastProperty(id: 4, uid: 5)
    builder.lastEntity(id: 1, uid: 1)
    let store = try Store(model: builder.finish(), directory: folder.path + "/store")
    box = store.box(for: Scrambled.self)
  }

  private func stored(_ object: Scrambled) throws -> [String?]? {
    try box.get(try box.put(object))?.texts
  }

  @Test func `texts are stored whatever order they are prepared in`() throws {
    let texts = ["first", "", "a third one that is longer"]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      #expect(try stored(Scrambled(texts: texts, order: order)) == texts)
      #expect(try stored(Scrambled(texts: texts, order: [3] + order)) == texts)
      #expect(try stored(Scrambled(texts: texts, order: order + [3])) == texts)
      var some: [String?] = texts
      some[order[2]] = nil
      #expect(try stored(Scrambled(texts: some, order: order)) == some)
    }
  }

  @Test func `values that belong to no property take no room from others`() throws {
    let texts = ["first", "second", "third"]
    let order = [0] + Array(repeating: 3, count: 40) + [1, 2]
    #expect(try stored(Scrambled(texts: texts, order: order)) == texts)
  }

  @Test func `a value can be that of two properties`() throws {
    let long = String(repeating: "long ", count: 500)
    let object = Scrambled(texts: [long, nil, "third"], order: [0, 2], isShared: true)
    #expect(try stored(object) == [long, long, "third"])
  }
}
