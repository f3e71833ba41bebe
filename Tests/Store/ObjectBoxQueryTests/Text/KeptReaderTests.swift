import Dispatch
import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxSearch
import ObjectBoxTestSupport
import Testing

/// Readers of full-text indexes that a thread keeps from search to search.
struct KeptReaderTests {
  private struct Failure: Error {}

  private let pages: PageStore

  init() throws { pages = try PageStore() }

  private static let searches = [
    "often", "seldom", "often seldom", "often OR seldom", "\"often seldom\"", "sel*",
    "often -seldom",
  ]

  /// Returns the results of a search with their scores, without and with another condition.
  private static func found(_ search: String, in store: Store) throws -> [String] {
    let box = store.box(for: Page.self)
    let all = try box.query { Page.text.matches(search) }.build()
    let some = try box.query { Page.text.matches(search) && Page.stars == 3 }.build()
    let results = try all.findIdsWithScores(limit: 40) + some.findIdsWithScores(limit: 40)
    return try results.map { "\($0.id): \($0.score)" } + all.findIds().map { "\($0)" }
  }

  private func found(_ search: String) throws -> [String] {
    try Self.found(search, in: pages.store)
  }

  /// Returns the same without a kept reader: a write transaction keeps none.
  private func foundAnew(_ search: String) throws -> [String] {
    try pages.store.runInTransaction { try found(search) }
  }

  private func expectEqualResults() throws {
    for search in Self.searches { #expect(try found(search) == foundAnew(search)) }
  }

  private func text(_ random: inout SplitMix) -> String {
    (0..<Int.random(in: 1...9, using: &random))
      .map { _ in Int.random(in: 0..<30, using: &random) == 0 ? "seldom" : "often" }
      .joined(separator: " ")
  }

  @Test(.tags(.slow), arguments: [1, 3])
  func `searches between commits find what each commit has left`(gap: Int) throws {
    var random = SplitMix(seed: gap)
    var ids: [UInt64] = []
    func put(_ count: Int) throws {
      for _ in 0..<count {
        let page = Page(text(&random), stars: Int32.random(in: 0..<60, using: &random))
        page.id = (ids.last ?? 0) + UInt64(Int.random(in: 1...gap, using: &random))
        try pages.box.put(page)
        ids.append(page.id)
      }
    }
    // Several chunks of lengths and IDs.
    try pages.store.runInTransaction { try put(TestLength.choose(short: 2_500, long: 5_000)) }
    try expectEqualResults()
    for round in 0..<TestLength.choose(short: 8, long: 25) {
      try pages.store.runInTransaction {
        if round % 3 != 1 { try put(round % 5 == 0 ? 300 : 2) }
        if round % 3 != 2 {
          for _ in 0..<(round % 7 == 0 ? 100 : 1) {
            let place = Int.random(in: ids.indices, using: &random)
            try pages.box.remove(EntityId<Page>(ids.remove(at: place)))
          }
        }
        let page = Page(text(&random))
        page.id = random.pick(ids)
        try pages.box.put(page)
      }
      try expectEqualResults()
      // Nothing has changed in between.
      try expectEqualResults()
    }
    #expect(try pages.faults() == [])
  }

  @Test func `a search in a write transaction leaves nothing for later searches`() throws {
    try pages.box.put((0..<3000).map { Page("often \($0 % 50 == 0 ? "seldom" : "")") })
    let before = try Self.searches.map { try found($0) }
    #expect(throws: Failure.self) {
      try pages.store.runInTransaction {
        try pages.box.put(Page("seldom seldom"))
        try pages.box.remove(EntityId<Page>(51))
        #expect(try found("seldom") != before[1])
        throw Failure()
      }
    }
    #expect(try Self.searches.map { try found($0) } == before)
  }

  @Test func `an older version has its own words while newer ones are searched`() throws {
    try pages.box.put((0..<3000).map { Page("often \($0 % 50 == 0 ? "seldom" : "")") })
    let before = try Self.searches.map { try found($0) }
    try pages.store.runInReadOnlyTransaction { () throws in
      for round in 1...3 {
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [store = pages.store] in
          do {
            let box = store.box(for: Page.self)
            for count in 1...2 {
              try box.put(Page("seldom newer"))
              let newer = try box.query { Page.text.matches("newer") }.build()
              #expect(try newer.findIdsWithScores().count == 2 * round - 2 + count)
            }
          } catch {
            Issue.record(error)
          }
          isDone.signal()
        }
        isDone.wait()
        #expect(try Self.searches.map { try found($0) } == before)
      }
    }
    #expect(try found("newer").count == 12)
    try expectEqualResults()
  }
}
