import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxLive
import ObjectBoxTestSupport
import Testing

/// URLs as properties, through generated code.
struct URLTests {
  private let folder: TemporaryDirectory
  private let store: Store
  private let pages: Box<Page>

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
    pages = store.box()
  }

  private static func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  private func page(_ number: Int, _ text: String?, feed: String? = nil) throws -> Page {
    let other = try text.map(Self.url)
    return Page(
      id: 0,
      url: try Self.url("http://unique/\(number)"),
      canonical: other,
      plain: other,
      feed: try feed.map(Self.url),
      weight: 0
    )
  }

  private func put(_ texts: [String?]) throws {
    for (number, text) in texts.enumerated() { try pages.put(try page(number, text)) }
  }

  private func message(_ body: () throws -> Void) -> String {
    let error = #expect(throws: ObjectBoxError.self) { try body() }
    return error.map { "\($0)" } ?? ""
  }

  // MARK: Values

  @Test func `URLs come back from a store that was opened anew`() throws {
    let texts = [
      "https://example.org/a?b=c#d", "file:///tmp/%C3%A4%20b", "mailto:ada@example.org", "a/b",
      "#x",
      "http://bücher.example/ü", "urn:isbn:0451450523", "data:,hello",
    ]
    var written: [Page] = []
    for (number, text) in texts.enumerated() {
      written.append(try pages.put(struct: try page(number, text)))
    }
    let account = Account()
    account.site = URL(fileURLWithPath: "/ä b")
    try store.box(for: Account.self).put([account, Account()])
    store.close()
    let store = try Store(directoryPath: folder.path + "/store")
    #expect(try store.box(for: Page.self).all() == written)
    let sites = try store.box(for: Account.self).all().map(\.site)
    #expect(sites == [account.site, URL(fileURLWithPath: "/")])
    store.close()
  }

  @Test func `a relative URL is kept as the whole`() throws {
    var relative = try page(0, nil)
    relative.plain = URL(string: "b?c", relativeTo: try Self.url("http://example.org/a/"))
    let id = try pages.put(relative)
    #expect(try pages.get(id)?.plain == Self.url("http://example.org/a/b?c"))
  }

  // MARK: Conditions

  @Test(arguments: 1...3)
  func `conditions are those of a plain filter, with an index and without`(_ seed: Int) throws {
    var generator = SplitMix(seed: seed)
    let hosts = ["a.org", "A.org", "b.org", "b.org/c"]
    let texts: [String?] = (0..<120).map { _ in
      let number = Int.random(in: 0..<6, using: &generator)
      return number == 0 ? nil : "http://\(generator.pick(hosts))/\(number)"
    }
    try put(texts)
    func expect(
      _ condition: (Property<Page, URL?, Void>) -> QueryCondition<Page>,
      _ isMatch: (String?) -> Bool
    ) throws {
      let ids = texts.enumerated().filter { isMatch($0.element) }.map { UInt64($0.offset + 1) }
      for property in [Page.canonical, Page.plain] {
        let query = try pages.query { condition(property) }.build()
        let plan = try query.explain()
        #expect(try query.findIds().map(\.value) == ids, "\(plan)")
        #expect(try query.find().count == ids.count)
      }
    }
    for text in ["http://a.org/1", "http://b.org/c/2", "http://none"] {
      let url = try Self.url(text)
      try expect({ $0 == url }) { $0 == text }
      try expect({ $0 != url }) { $0 != nil && $0 != text }
      try expect({ $0 ∈ [url, url] }) { $0 == text }
      try expect({ $0 ∉ [url] }) { $0 != nil && $0 != text }
      try expect({ $0 == text }) { $0 == text }
      try expect({ $0 < text }) { other in
        other.map { $0.utf8.lexicographicallyPrecedes(text.utf8) } ?? false
      }
      try expect({ $0.startsWith(text) }) { $0?.hasPrefix(text) ?? false }
      try expect({ $0.isEqual(to: text, caseSensitive: false) }) { $0?.lowercased() == text }
    }
    try expect({ $0.startsWith("http://b.org/") }) { $0?.hasPrefix("http://b.org/") ?? false }
    try expect({ $0.endsWith("/3") }) { $0?.hasSuffix("/3") ?? false }
    try expect({ $0.contains("b.org/c") }) { $0?.contains("b.org/c") ?? false }
    try expect({ $0.isNil() }) { $0 == nil }
    try expect({ $0.isNotNil() }) { $0 != nil }
  }

  @Test func `indexes of URLs are used, by value, by hash and without regard to case`() throws {
    for number in 0..<100 {
      try pages.put(try page(number, "http://x/\(number)", feed: "http://FEED/\(number)"))
    }
    let seventh = try Self.url("http://unique/7")
    let unique = try pages.query { Page.url == seventh }.build()
    #expect(try unique.explain().hasPrefix("index on 'url' (hash)"))
    #expect(try unique.findIds().map(\.value) == [8])
    let prefix = try pages.query { Page.canonical.startsWith("http://x/9") }.build()
    #expect(try prefix.explain().hasPrefix("index on 'canonical' (value)"))
    #expect(try prefix.count() == 11)
    let walk = try pages.query().ordered(by: Page.canonical, flags: .caseSensitive).build()
    #expect(try walk.explain().contains("walk of the index on 'canonical'"))
    let feed = try pages.query { Page.feed.isEqual(to: "HTTP://feed/5", caseSensitive: false) }
      .build()
    #expect(try feed.explain().hasPrefix("index on 'feed'"))
    #expect(try feed.findIds().map(\.value) == [6])
  }

  @Test func `a second object with a unique URL is refused, and one is found by it`() throws {
    try pages.put(try page(1, nil))
    let message = message { _ = try pages.put(struct: try page(1, nil)) }
    #expect(message.contains("'Page.url'") && message.contains("already holds 'http://unique/1'"))
    #expect(try pages.get(where: Page.url, equals: try Self.url("http://unique/1"))?.id == 1)
    #expect(try pages.get(where: Page.url, equals: "http://unique/1")?.id == 1)
    #expect(try pages.get(where: Page.url, equals: try Self.url("http://unique/2")) == nil)
  }

  @Test func `parameters are URLs or texts`() throws {
    try put(["a:1", "a:2", "a:3"])
    let first = try Self.url("a:1")
    let query = try pages.query { Page.plain == first }.build()
    query.setParameter(Page.plain, to: try Self.url("a:2"))
    #expect(try query.findIds().map(\.value) == [2])
    query.setParameter(Page.plain, to: "a:3")
    #expect(try query.findIds().map(\.value) == [3])
  }

  @Test func `a property query gives URLs and their texts`() throws {
    try put(["a:2", nil, "a:1", "a:2"])
    let query = try pages.query().build().property(Page.plain)
    #expect(try query.find() == ["a:2", "a:1", "a:2"].map(Self.url))
    #expect(try query.findStrings() == ["a:2", "a:1", "a:2"])
    #expect(throws: ObjectBoxError.self) { try query.findUnique() }
    #expect(try query.distinct().find().count == 2)
    #expect(try query.count() == 2)
  }

  // MARK: By name, and texts that are no URLs

  @Test func `objects by name hold the texts, and take URLs as well`() throws {
    let dynamic = try store.box(named: "Page")
    try dynamic.put(["url": try Self.url("a:1"), "plain": "a:2", "weight": 1])
    #expect(try dynamic.get(1)?["url"] as? String == "a:1")
    let page = try #require(try pages.get(1))
    #expect(page.plain == (try Self.url("a:2")) && page.weight == 1)
    let second = try Self.url("a:2")
    let query = try dynamic.query { $0["plain"] == second }.build()
    #expect(try query.count() == 1)
  }

  @Test func `a text that is no URL is an error of each read, and none is about:blank`() throws {
    let dynamic = try store.box(named: "Page")
    try dynamic.put(["url": "not a URL"])
    try dynamic.put(["url": "a:2", "plain": ""])
    try dynamic.put(["plain": "a:3"])
    let expected =
      "cannot read 'Page.url' of the object with ID 1: its text 'not a URL' is no URL; put another value "
      + "with store.box(named: \"Page\")"
    #expect(message { _ = try pages.get(1) }.contains(expected))
    #expect(message { _ = try pages.get(2) }.contains("'Page.plain'"))
    #expect(try pages.get(3)?.url.absoluteString == "about:blank")
    #expect(message { _ = try pages.all() }.contains(expected))
    let urls = try pages.query().build().property(Page.url)
    #expect(message { _ = try urls.find() }.contains("its text 'not a URL' is no URL"))
    #expect(try urls.findStrings() == ["not a URL", "a:2"])
    #expect(try pages.count() == 3)
    try dynamic.put(["id": 1, "url": "a:1"])
    try dynamic.put(["id": 2, "plain": nil])
    #expect(try pages.all().map(\.url.absoluteString) == ["a:1", "a:2", "about:blank"])
  }

  @Test func `a snapshot shows URLs`() throws {
    try put(["a:1"])
    let frozen = try #require(try store.freeze().object(EntityId<Page>(1)))
    #expect(try frozen[Page.plain] == Self.url("a:1"))
    #expect(frozen.canonical == (try Self.url("a:1")))
    #expect(try frozen[Page.feed] == nil)
  }
}
