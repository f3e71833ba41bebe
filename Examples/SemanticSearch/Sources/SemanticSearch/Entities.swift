import ObjectBox

/// A sentence, which is found by its words and by the vector of its meaning.
// objectbox: entity
final class Sentence {
  var id: Id = 0
  // objectbox: fulltext
  var text: String = ""

  /// The sentence's entry in the lexicon.
  // objectbox: index
  var entry: String = ""

  /// `noun`, `verb`, `adjective` or `other`.
  // objectbox: index
  var wordClass: String = ""

  // objectbox: hnswIndex: dimensions=384, distanceType=cosine
  var meaning: [Float]?

  init() {}

  init(_ row: CorpusRow, meaning: [Float]) {
    text = row.text
    entry = row.entry
    wordClass = row.wordClass
    self.meaning = meaning
  }
}
