import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxDynamic
import ObjectBoxRuntimeTestSupport
import ObjectBoxSearch
import ObjectBoxTestSupport
import Testing

/// Stores whose texts earlier rules have split into words.
struct EarlierRulesTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.path + "/store" }
  private static let indexes = PageIndexes(language: "fr", titleWeight: 1)

  /// Copies a store that the first version of the rules has split.
  init() throws {
    folder = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: StoreFixtureTests.stores.appending(path: "../FullText/first-rules/data.mdb"),
      to: URL(filePath: path + "/data.mdb")
    )
  }

  private func rules() throws -> [String] {
    let store = try Store(existing: Store.Configuration(directory: path))
    defer { store.close() }
    return store.schema.entities.flatMap(\.fullTextIndexes).map {
      String(decoding: $0.tokenizer.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
    }
  }

  private static func ids(
    _ store: Store,
    _ condition: QueryCondition<Page>
  ) throws -> [UInt64] {
    try store.box(for: Page.self).query { condition }.build().findIds().map(\.value)
  }

  @Test(.enabled("Snowball's library is installed") { (try? PageStore(indexes)) != nil })
  func `a program that opens the store finds words by the present rules`() throws {
    #expect(try rules() == ["1", "1"])
    let store = try Store(model: PageStore.model(Self.indexes), directory: path)
    #expect(try Self.ids(store, Page.text.matches("hôtel")) == [1])
    #expect(try Self.ids(store, Page.text.matches("d'aube")) == [2])
    #expect(try Self.ids(store, Page.text.matches("chateau")) == [3])
    #expect(try Self.ids(store, Page.words.matches("fix")) == [1])
    #expect(try Self.ids(store, Page.words.matches("バーガー")) == [2])
    #expect(try Self.ids(store, Page.words.matches("unchanged")) == [3])
    store.close()
    #expect(try rules() == ["2", "2"])
    #expect(try Store.verify(directory: path).faults == [])
  }

  @Test func `without a model, searches and puts of texts are refused, and the rest is sound`()
    throws
  {
    let store = try Store(existing: Store.Configuration(directory: path))
    let box = try store.box(named: "Page")
    func expectRefusal(_ body: () throws -> Void) {
      #expect(
        performing: body,
        throws: { error in
          "\(error)".contains("another version of the rules")
            && "\(error)".contains("open the store")
        }
      )
    }
    expectRefusal { _ = try box.query { $0["text"].matches("hôtel") }.build().findIds() }
    expectRefusal { _ = try box.put(["text": "L'hiver"]) }
    #expect(try box.all().count == 3)
    store.close()
    #expect(try rules() == ["1", "1"])
    #expect(try Store.verify(directory: path).faults == [])
  }

  @Test(.enabled("Snowball's library is installed") { (try? PageStore(indexes)) != nil })
  func `a salvaged store has its texts split by the present rules`() throws {
    let salvaged = folder.path + "/salvaged"
    let report = try #require(try Store.salvage(directory: path, to: salvaged))
    #expect(report.entities.map(\.savedCount) == [3])
    let store = try Store(existing: Store.Configuration(directory: salvaged))
    let box = try store.box(named: "Page")
    #expect(try box.query { $0["text"].matches("hôtel") }.build().findIds() == [1])
    store.close()
    #expect(try Store.verify(directory: salvaged).faults == [])
  }
}
