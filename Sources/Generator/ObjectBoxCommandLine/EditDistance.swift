/// The number of single characters to add, remove or change, or of neighbours to swap, to turn one
/// word into another.
package enum EditDistance {
  package static func between(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    var (earlier, last) = ([Int](), Array(0...b.count))
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, earlier[j - 1] + 1)
        }
        row.append(least)
      }
      (earlier, last) = (last, row)
    }
    return last[b.count]
  }

  /// The known word that a misspelt word most likely means.
  package struct Suggestion: Hashable {
    package var word: String
    /// True when no other known word is as near, and few characters differ.
    package var isCertain: Bool

    package init(word: String, isCertain: Bool) {
      self.word = word
      self.isCertain = isCertain
    }
  }

  /// Returns the known word that a misspelt word most likely means; nil when no word is near.
  package static func nearest(to word: String, in known: Set<String>) -> String? {
    suggestion(for: word, in: known)?.word
  }

  /// Returns the known word that a misspelt word most likely means, and whether that is certain;
  /// nil when no word is near.
  package static func suggestion(for word: String, in known: Set<String>) -> Suggestion? {
    // Between equally near words, case decides.
    let ranked = known.sorted().map { candidate in
      (
        word: candidate, distance: between(candidate.lowercased(), word.lowercased()),
        cased: between(candidate, word)
      )
    }
    let best = ranked.min { ($0.distance, $0.cased) < ($1.distance, $1.cased) }
    guard let best, best.distance <= max(1, word.count / 3) else { return nil }
    let hasRival = ranked.contains {
      $0.distance == best.distance && $0.word.lowercased() != best.word.lowercased()
    }
    let isNear = best.distance <= max(1, word.count / 4)
    return Suggestion(word: best.word, isCertain: isNear && !hasRival)
  }

  /// Returns the end of a message about a misspelt word: a question, or nothing if no known word is
  /// near.
  package static func advice(for word: String, in known: Set<String>) -> String {
    nearest(to: word, in: known).map { "; did you mean '\($0)'?" } ?? ""
  }
}
