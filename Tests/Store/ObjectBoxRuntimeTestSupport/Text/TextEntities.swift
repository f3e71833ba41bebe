internal import Foundation
package import ObjectBox
package import ObjectBoxSearch
internal import ObjectBoxTestSupport

/// An entity with full-text indexes and a hand-written binding.
package final class Page: Entity, EntityInspectable, __EntityRelatable {
  package typealias EntityType = Page
  package typealias EntityBindingType = PageBinding
  package static let entityInfo = EntityInfo(name: "Page", id: 1)
  package static let entityBinding = PageBinding()

  package var id: Id = 0
  package var title: String?
  package var text: String?
  package var stars: Int32 = 0

  package var _id: EntityId<Page> { EntityId(id) }

  package init(_ text: String? = nil, title: String? = nil, stars: Int32 = 0) {
    self.title = title
    self.text = text
    self.stars = stars
  }

  package static var id: Property<Page, Id, Void> { Property(propertyId: 1, isPrimaryKey: true) }
  package static var title: Property<Page, String?, Void> { Property(propertyId: 2) }
  package static var text: Property<Page, String?, Void> { Property(propertyId: 3) }
  package static var stars: Property<Page, Int32, Void> { Property(propertyId: 4) }
  /// The index over title and text.
  package static var words: FullTextIndex<Page> { FullTextIndex(indexId: 3) }
}

package final class PageBinding: EntityBinding, Sendable {
  package typealias EntityType = Page
  package typealias IdType = Id
  package init() {}
  package func generatorBindingVersion() -> Int { 1 }
  package func setEntityIdUnlessStruct(of entity: Page, to entityId: Id) { entity.id = entityId }
  package func entityId(of entity: Page) -> Id { entity.id }
  package func collect(
    fromEntity entity: Page,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    let title = propertyCollector.prepare(string: entity.title)
    let text = propertyCollector.prepare(string: entity.text)
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(entity.stars, at: 10)
    propertyCollector.collect(dataOffset: title, at: 6)
    propertyCollector.collect(dataOffset: text, at: 8)
  }
  package func createEntity(entityReader: RecordReader, store: Store) -> Page {
    let page = Page(
      entityReader.read(at: 8),
      title: entityReader.read(at: 6),
      stars: entityReader.read(at: 10)
    )
    page.id = entityReader.read(at: 4)
    return page
  }
}

/// The full-text indexes of ``Page``.
package struct PageIndexes {
  /// Whether the text has an index of its own.
  package var hasText = true
  package var language: String?
  package var prefixLengths: [Int] = []
  /// The weight of the title in the index over title and text; nil for no such index.
  package var titleWeight: UInt8?

  package init(
    hasText: Bool = true,
    language: String? = nil,
    prefixLengths: [Int] = [],
    titleWeight: UInt8? = nil
  ) {
    self.hasText = hasText
    self.language = language
    self.prefixLengths = prefixLengths
    self.titleWeight = titleWeight
  }
}

/// A folder with a store of ``Page``, which can be reopened under other indexes.
package final class PageStore {
  private let folder: TemporaryDirectory
  package private(set) var store: Store

  package init(_ indexes: PageIndexes = PageIndexes()) throws {
    folder = try TemporaryDirectory()
    store = try Self.open(folder.path + "/store", indexes)
  }

  deinit { store.close() }

  package var path: String { folder.path + "/store" }
  package var box: Box<Page> { store.box(for: Page.self) }

  /// Closes the store, and opens it again.
  package func reopen(_ indexes: PageIndexes = PageIndexes()) throws {
    store.close()
    store = try Self.open(path, indexes)
  }

  /// Returns the IDs of the pages whose text has the words.
  package func ids(matching text: String) throws -> [UInt64] {
    try box.query { Page.text.matches(text) }.build().findIds().map(\.value)
  }

  /// Returns the descriptions of the faults that a verification finds.
  package func faults() throws -> [String] {
    try box.fullTextFaults()
  }

  package static func model(_ indexes: PageIndexes) throws -> OpaquePointer {
    let builder = try ModelBuilder()
    let entity = try builder.entityBuilder(for: Page.self, id: 1, uid: 1001)
    try entity.addProperty(
      name: "id",
      type: .long,
      flags: [.id, .idSelfAssignable],
      id: 1,
      uid: 1
    )
    try entity.addProperty(name: "title", type: .string, id: 2, uid: 2)
    try entity.addProperty(name: "text", type: .string, id: 3, uid: 3)
    try entity.addProperty(
      name: "stars",
      type: .int,
      flags: [.indexed],
      id: 4,
      uid: 4,
      indexId: 1,
      indexUid: 100
    )
    if indexes.hasText {
      try entity.addFullTextIndex(
        id: 2,
        uid: 101,
        propertyIds: [3],
        language: indexes.language,
        prefixLengths: indexes.prefixLengths
      )
    }
    if let weight = indexes.titleWeight {
      try entity.addFullTextIndex(
        id: 3,
        uid: 102,
        name: "words",
        propertyIds: [2, 3],
        weights: [weight, 1]
      )
    }
    try entity.lastProperty(id: 4, uid: 4)
    builder.lastEntity(id: 1, uid: 1001)
    builder.lastIndex(id: 3, uid: 102)
    return builder.finish()
  }

  private static func open(_ path: String, _ indexes: PageIndexes) throws -> Store {
    try Store(model: try model(indexes), directory: path, maxDbSizeInKByte: 500_000)
  }
}
