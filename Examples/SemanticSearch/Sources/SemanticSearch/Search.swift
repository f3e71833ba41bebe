import Foundation
import ObjectBox

/// Searches by meaning with the index, or by comparing all sentences.
struct Search {
  let store: Store

  init(folder: String) throws {
    store = try Store(directoryPath: folder)
  }

  func importAll(_ corpus: Corpus) throws -> Int {
    let sentences = try corpus.sentences().map { row, meaning in Sentence(row, meaning: meaning) }
    try store.runInTransaction {
      try store.box(for: Sentence.self).removeAll()
      try store.box(for: Sentence.self).put(sentences)
    }
    return sentences.count
  }

  /// Returns the sentences nearest to a vector, optionally of one word class.
  ///
  /// The condition chooses among the nearest 500, so that enough sentences of a rare class remain.
  func nearest(
    to meaning: [Float],
    wordClass: String? = nil,
    count: Int
  ) throws -> [ObjectWithScore<Sentence>] {
    let box = store.box(for: Sentence.self)
    let query = box.query {
      let near = Sentence.meaning.nearestNeighbors(
        queryVector: meaning,
        maxCount: wordClass == nil ? count : 500
      )
      guard let wordClass else { return near }
      return near && .wordClass == wordClass
    }
    return try query.build().findWithScores(limit: count)
  }

  /// Returns the IDs that ``nearest(to:wordClass:count:)`` should find, by comparing all sentences.
  static func nearestOfAll(
    _ sentences: [Sentence],
    to meaning: [Float],
    wordClass: String?,
    count: Int
  ) -> [Id] {
    let candidates = sentences.filter { wordClass == nil || $0.wordClass == wordClass }
    let scored = candidates.map {
      ($0.id, zip($0.meaning ?? [], meaning).reduce(0) { $0 + $1.0 * $1.1 })
    }
    return scored.sorted { $0.1 > $1.1 }.prefix(count).map(\.0)
  }
}
