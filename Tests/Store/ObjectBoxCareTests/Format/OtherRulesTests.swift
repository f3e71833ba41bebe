import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxDynamic
import ObjectBoxRuntimeTestSupport
import ObjectBoxSearch
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

private let frenchIndexes = PageIndexes(language: "fr", titleWeight: 1)

/// Stores whose texts other rules than the present ones have split into words.
@Suite(
  .enabled("Snowball's library is installed") { (try? PageStore(frenchIndexes)) != nil }
)
struct OtherRulesTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.path + "/store" }

  /// Makes a store whose full-text indexes have the words of rules without a language, and name the
  /// French rules of version 1.
  init() throws {
    folder = try TemporaryDirectory()
    let store = try Store(
      model: PageStore.model(PageIndexes(titleWeight: 1)),
      directory: folder.path + "/store"
    )
    try store.box(for: Page.self).put([
      Page("L'hôtel", title: "fix"), Page("l'heure d'aube", title: "バーガー"),
      Page("des châteaux", title: "unchanged"),
    ])
    store.close()
    var schema = ModelBuilder.takeSchema(try PageStore.model(frenchIndexes))
    for place in schema.entities[0].fullTextIndexes.indices {
      schema.entities[0].fullTextIndexes[place].tokenizer[0] = UInt8(ascii: "1")
      try setTokenizer(of: schema.entities[0].fullTextIndexes[place])
    }
    try ChangedFile.changeDescription(path, key: "schema", to: FormatBytes.bytes(of: schema))
  }

  /// Writes the rules into the header of an index: they follow the format, two numbers of the ranking
  /// and the weights.
  private func setTokenizer(of index: FullTextIndexSchema) throws {
    try ChangedFile.change(path) { transaction in
      let table = try #require(
        try transaction.openTable("f\(index.identity.id)", .plain, create: false)
      )
      let header = try #require(try transaction.cursor(table).firstRow())
      let rest = header.value.prefix(18 + index.parts.count)
      let value = rest + [UInt8(index.tokenizer.count)] + index.tokenizer
      try transaction.put(table, key: Array(header.key), value: Array(value))
    }
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

  @Test func `a program that opens the store finds words by the present rules`() throws {
    #expect(try rules() == ["1", "1"])
    let store = try Store(model: PageStore.model(frenchIndexes), directory: path)
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

  @Test func `a salvaged store has its texts split by the present rules`() throws {
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
