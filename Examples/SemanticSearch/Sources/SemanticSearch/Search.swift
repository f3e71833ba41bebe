import Foundation
import ObjectBox
import ObjectBoxSearch

/// A question in words, and the vector of its meaning.
struct Question {
  var text: String
  var meaning: [Float]
  /// The word class of the answers, or nil for any.
  var wordClass: String?
}

/// A sentence that was found, and the part of it that shows why.
struct Answer {
  var sentence: Sentence
  var score: Double
  var snippet: String

  fileprivate static let length = SnippetLength.words(16)
  fileprivate static let marks = ("*", "*")
}

/// Searches by words, by meaning, or by both.
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

  /// Returns the sentences with the rarest words of the question.
  func byWords(_ question: Question, count: Int) throws -> [Answer] {
    try answers(query(question, words(question)), count: count)
  }

  /// Returns the sentences nearest to the meaning of the question.
  func byMeaning(_ question: Question, count: Int) throws -> [Answer] {
    try answers(query(question, meaning(question, maxCount: count)), count: count)
  }

  /// Returns the sentences that are good by words, by meaning, or by both.
  func byBoth(_ question: Question, count: Int) throws -> [Answer] {
    let query = try query(question, words(question))
      .fused(with: meaning(question, maxCount: 100), candidates: 100).build()
    return try query.find(limit: count).map {
      let snippet = try $0.snippet(of: Sentence.text, around: Answer.length, marking: Answer.marks)
      return Answer(sentence: $0.object, score: $0.score, snippet: snippet)
    }
  }

  private func answers(_ builder: QueryBuilder<Sentence>, count: Int) throws -> [Answer] {
    try builder.build().findWithScores(limit: count).map {
      let snippet = try $0.snippet(of: Sentence.text, around: Answer.length, marking: Answer.marks)
      return Answer(sentence: $0.object, score: $0.score, snippet: snippet)
    }
  }

  /// Returns a query whose word class, if there is one, holds before the best are chosen.
  private func query(
    _ question: Question,
    _ search: QueryCondition<Sentence>
  ) -> QueryBuilder<Sentence> {
    store.box(for: Sentence.self).query {
      guard let wordClass = question.wordClass else { return search }
      return search && .wordClass == wordClass
    }
  }

  /// One word of the question is enough: its answer need not have them all.
  private func words(_ question: Question) -> QueryCondition<Sentence> {
    let words = question.text.replacing("\"", with: "").split(separator: " ")
      .filter { $0.contains { $0.isLetter || $0.isNumber } }
    return Sentence.text.matches(words.map { "\"\($0)\"" }.joined(separator: " OR "))
  }

  private func meaning(_ question: Question, maxCount: Int) -> QueryCondition<Sentence> {
    Sentence.meaning.nearestNeighbors(queryVector: question.meaning, maxCount: maxCount)
  }

  /// Returns the IDs that ``byMeaning(_:count:)`` should find, by comparing all sentences.
  static func nearestOfAll(_ sentences: [Sentence], to question: Question, count: Int) -> [Id] {
    let candidates = sentences.filter {
      question.wordClass == nil || $0.wordClass == question.wordClass
    }
    let scored = candidates.map {
      ($0.id, zip($0.meaning ?? [], question.meaning).reduce(0) { $0 + $1.0 * $1.1 })
    }
    return scored.sorted { $0.1 > $1.1 }.prefix(count).map(\.0)
  }
}
