import ObjectBox

/// Asks all questions of a corpus, and prints a table of the ways that answer them.
struct Check {
  /// A question is answered if one of so many first answers is of an expected entry.
  private static let depth = 3

  private let search: Search
  private let sentences: [Sentence]
  private var nearestMet = 0
  private var nearestWanted = 0
  private var onlyByWords = 0
  private var onlyByMeaning = 0

  /// Throws ``Failure`` unless each question is answered by both ways together, words and meaning
  /// alone leave others unanswered, and the index finds what a comparison with all sentences finds.
  static func run(_ search: Search, _ corpus: Corpus) throws {
    var check = try Check(search)
    print("place of the answer by words, by meaning, by both")
    for (row, meaning) in try corpus.queries() { try check.ask(row, meaning) }
    try check.finish()
  }

  private init(_ search: Search) throws {
    self.search = search
    sentences = try search.store.box(for: Sentence.self).all()
  }

  private mutating func ask(_ row: QueryRow, _ meaning: [Float]) throws {
    let question = Question(text: row.text, meaning: meaning, wordClass: row.wordClass)
    let both = try search.byBoth(question, count: Self.depth)
    let byMeaning = try search.byMeaning(question, count: 5)
    let places = [
      place(of: row, try search.byWords(question, count: Self.depth)),
      place(of: row, Array(byMeaning.prefix(Self.depth))),
      place(of: row, both),
    ]
    let cells = places.map { "  " + ($0.map { "\($0)" } ?? "-") }
    print("\(cells.joined())  \(row.text)\(row.wordClass.map { " (\($0)s only)" } ?? "")")
    if let place = places[2] { print("           \(both[place - 1].snippet)") }

    guard places[2] != nil else {
      throw Failure("none of \(row.entries) is among the answers to '\(row.text)'")
    }
    guard both.count == Self.depth, byMeaning.count == 5,
      row.wordClass == nil
        || (both + byMeaning).allSatisfy({ $0.sentence.wordClass == row.wordClass })
    else { throw Failure("answers to '\(row.text)' are missing, or of another word class") }
    if places[1] == nil { onlyByWords += 1 }
    if places[0] == nil { onlyByMeaning += 1 }
    let exact = Search.nearestOfAll(sentences, to: question, count: 5)
    nearestWanted += exact.count
    nearestMet += Set(exact).intersection(byMeaning.map(\.sentence.id)).count
  }

  /// Returns the place of the first answer of an expected entry, from 1.
  private func place(of row: QueryRow, _ answers: [Answer]) -> Int? {
    answers.firstIndex { row.entries.contains($0.sentence.entry) }.map { $0 + 1 }
  }

  private func finish() throws {
    print("meaning alone fails \(onlyByWords) times, words alone \(onlyByMeaning) times")
    guard onlyByWords > 0, onlyByMeaning > 0 else { throw Failure("one way alone is enough") }
    print(
      "\(sentences.count) sentences; the index found \(nearestMet) of the \(nearestWanted) nearest"
    )
    guard nearestWanted > 0, nearestMet * 100 >= nearestWanted * 95 else {
      throw Failure("the index misses too many")
    }
  }
}
