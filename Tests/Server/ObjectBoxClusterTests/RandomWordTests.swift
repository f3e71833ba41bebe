import Foundation
import ObjectBoxSearch
import ObjectBoxTestSupport
import Testing

@testable import ObjectBox
@testable import ObjectBoxCluster

/// Compares searches of a cluster with those of an embedded store with the same objects.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct RandomWordTests {
  /// Makes random texts and searches of the same words.
  private struct Words {
    var random: SplitMix

    /// Words of several scripts, the common ones first.
    static let words: [String] = (0..<200).map { number in
      let scripts = ["w", "Wo", "Häu", "ж", "слово", "日本", "λόγ", "ღვინო", "data", "データ", "ไทย"]
      return scripts[number % scripts.count] + (number < 11 ? "" : String(number / 11))
    }

    mutating func word() -> String {
      // Few words are common, many are rare.
      let place = Double.random(in: 0..<1, using: &random)
      return Self.words[Int(Double(Self.words.count) * place * place * place)]
    }

    mutating func text() -> String? {
      if Int.random(in: 0..<12, using: &random) == 0 { return nil }
      let count = Int.random(in: 0...random.pick([3, 12, 40]), using: &random)
      return (0..<count).map { _ in word() }.joined(separator: random.pick([" ", " ", ", ", "-"]))
    }

    private mutating func leaf(_ columns: [String]) -> String {
      let word = word()
      let leaf =
        switch Int.random(in: 0..<7, using: &random) {
        case 0: String(word.prefix(Int.random(in: 1...3, using: &random))) + "*"
        case 1: "\"\(word) \(self.word())\""
        case 2: "\"\(word) \(self.word().prefix(1))\"*"
        case 3:
          "NEAR(\(word) \(self.word())\(Bool.random(using: &random) ? " \(self.word().prefix(2))*" : ""), "
            + "\(random.pick([0, 1, 3, 10, 1000])))"
        default: word
        }
      guard !columns.isEmpty, Int.random(in: 0..<4, using: &random) == 0 else { return leaf }
      return "\(random.pick(columns)):(\(leaf))"
    }

    mutating func search(_ columns: [String], depth: Int = 0) -> String {
      guard depth < 3 else { return leaf(columns) }
      switch Int.random(in: 0..<6, using: &random) {
      case 0: return "(\(search(columns, depth: depth + 1))) (\(search(columns, depth: depth + 1)))"
      case 1:
        return "(\(search(columns, depth: depth + 1))) OR (\(search(columns, depth: depth + 1)))"
      case 2:
        return "(\(search(columns, depth: depth + 1))) NOT (\(search(columns, depth: depth + 1)))"
      default: return leaf(columns)
      }
    }
  }

  private func compare<E>(
    _ stores: QueryStores,
    _ condition: QueryCondition<E>,
    _ text: String
  ) async throws
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    let query = try stores.embedded.box(for: E.self).query { condition }.build()
    let other = stores.cluster.box(for: E.self).query { condition }
    let ids = try await other.findIds().map(\.value)
    #expect(try ids == query.findIds().map(\.value), "\(text)")
    let scores = try query.findIdsWithScores()
    let others = try await other.findIdsWithScores()
    #expect(others.map(\.id) == scores.map(\.id), "\(text)")
    #expect(others.map(\.score.bitPattern) == scores.map(\.score.bitPattern), "\(text)")
  }

  @Test(arguments: [1, 2])
  func `searches in one text and their scores equal the embedded store's`(seed: Int) async throws {
    var words = Words(random: SplitMix(seed: seed))
    let stores = try await QueryStores()
    try await stores.put(
      (0..<300).map { WordNote(words.text(), title: words.text() ?? "", stars: $0) }
    )
    for number in 0..<100 {
      let text = words.search([])
      let words: QueryCondition<WordNote> =
        number % 3 == 0 ? WordNote.title.matches(text) : WordNote.text.matches(text)
      switch number % 5 {
      case 0: try await compare(stores, words && WordNote.stars > 100, text)
      case 1: try await compare(stores, words || WordNote.stars < 10, text)
      default: try await compare(stores, words, text)
      }
    }
  }

  @Test(arguments: [3, 4])
  func `searches in several texts and their scores equal the embedded store's`(
    seed: Int
  ) async throws {
    var words = Words(random: SplitMix(seed: seed))
    let stores = try await QueryStores()
    var articles = (0..<300).map { _ in
      WordArticle(title: words.text(), text: words.text(), more: words.text())
    }
    try stores.embedded.box(for: WordArticle.self).put(&articles)
    try await stores.put(articles)
    for number in 0..<100 {
      if number % 4 == 0 {
        let text = words.search([])
        try await compare(stores, WordArticle.more.matches(text), text)
      } else {
        let text = words.search(["title", "text", "more"])
        try await compare(stores, WordArticle.words.matches(text), text)
      }
    }
  }
}
