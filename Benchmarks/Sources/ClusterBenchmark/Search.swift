import Foundation
import ObjectBox
import ObjectBoxCluster
import ObjectBoxSearch

/// A text that is searched.
// objectbox: entity
final class Passage {
  var id: Id = 0
  // objectbox: fulltext
  var text: String = ""
  /// A number below 100, for a condition beside the words.
  // objectbox: index
  var label: Int32 = 0

  init() {}

  init(_ text: String, label: Int32) {
    self.text = text
    self.label = label
  }
}

/// The same object without a full-text index.
// objectbox: entity
final class PlainPassage {
  var id: Id = 0
  var text: String = ""
  // objectbox: index
  var label: Int32 = 0

  init() {}

  init(_ text: String, label: Int32) {
    self.text = text
    self.label = label
  }
}

/// Searches for words in a cluster, and puts with and without the index.
struct SearchMeasurement {
  private static let wordCount = 50_000.0
  private static let wordsInText = 20
  private static let batch = 1_000
  private static let rounds = 11

  private let cluster: Cluster
  private var random = SystemRandomNumberGenerator()

  init(_ cluster: Cluster) { self.cluster = cluster }

  /// Puts texts in which the word of rank n has a share of about 1 / n, and prints a table.
  ///
  /// - Parameter count: The number of texts.
  /// - Throws: Errors of the cluster.
  mutating func run(_ count: Int) async throws {
    let passages = cluster.box(for: Passage.self)
    let plain = cluster.box(for: PlainPassage.self)
    try await passages.removeAll()
    try await plain.removeAll()
    var times: (words: [Double], plain: [Double]) = ([], [])
    for _ in 0..<count / Self.batch {
      let texts = (0..<Self.batch).map { ($0, text()) }
      let own = texts.map { Passage($1, label: Int32($0 % 100)) }
      let others = texts.map { PlainPassage($1, label: Int32($0 % 100)) }
      times.words.append(try await Self.time { try await passages.put(own) })
      times.plain.append(try await Self.time { try await plain.put(others) })
    }
    print("| work | results | median ms | least ms |\n|---|--:|--:|--:|")
    Self.row("put of 1,000 with the index", Self.batch, times.words)
    Self.row("put of 1,000 without it", Self.batch, times.plain)
    let searches = [
      ("common word", "w1"), ("word of a tenth", "w20"), ("common AND common", "w1 w2"),
      ("common OR common", "w1 OR w2"), ("rare word", "w9000"), ("phrase", "\"w1 w2\""),
      ("beginning", "w99*"),
    ]
    for (name, words) in searches {
      try await measure(name, passages.query { Passage.text.matches(words) })
    }
    try await measure(
      "common word, 1 % by a condition",
      passages.query { Passage.text.matches("w1") && Passage.label == 7 }
    )
  }

  private func measure(_ name: String, _ query: ClusterQuery<Passage>) async throws {
    let count = try await query.count()
    var times: (best: [Double], all: [Double], count: [Double]) = ([], [], [])
    for _ in 0..<Self.rounds {
      times.best.append(
        try await Self.time { _ = try await query.findWithScores(limit: 10) }
      )
      times.all.append(try await Self.time { _ = try await query.findIdsWithScores() })
      times.count.append(try await Self.time { _ = try await query.count() })
    }
    Self.row("\(name), best 10", count, times.best)
    Self.row("\(name), all IDs with scores", count, times.all)
    Self.row("\(name), count", count, times.count)
  }

  private mutating func text() -> String {
    (0..<Self.wordsInText).map { _ in
      let rank = exp(Double.random(in: 0..<1, using: &random) * log(Self.wordCount))
      return "w\(Int(rank))"
    }.joined(separator: " ")
  }

  /// Returns milliseconds of the clock.
  private static func time(_ body: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await body()
    return (ContinuousClock.now - start) / .milliseconds(1)
  }

  private static func row(_ name: String, _ results: Int, _ times: [Double]) {
    let times = times.sorted()
    print("| \(name) | \(results) | \(shown(times[times.count / 2])) | \(shown(times[0])) |")
  }

  private static func shown(_ time: Double) -> String { String(format: "%.1f", time) }
}
