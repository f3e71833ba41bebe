import Foundation
import ObjectBox

/// The terminal program.
@main
enum Main {
  static let usage = """
    usage: SemanticSearch STORE COMMAND
      import FOLDER          stores the sentences and vectors that embed.py wrote
      search [WORDCLASS]     shows the sentences nearest to a vector, a line of JSON on standard input
      check FOLDER           asks the queries in the folder; ends with status 1 unless each finds an entry that it
                             expects, and the index finds what a comparison with all sentences finds
    """

  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ words: [String]) throws {
    guard words.count >= 2 else { throw Failure(usage) }
    let search = try Search(folder: words[0])
    switch (words[1], words.count) {
    case ("import", 3):
      let clock = ContinuousClock()
      let start = clock.now
      let count = try search.importAll(Corpus(folder: words[2]))
      let time = (clock.now - start).formatted(.units(allowed: [.milliseconds], width: .narrow))
      print("stored \(count) sentences in \(time)")
    case ("search", 2...3):
      let meaning = try JSONDecoder().decode([Float].self, from: Data((readLine() ?? "").utf8))
      show(try search.nearest(to: meaning, wordClass: words.count == 3 ? words[2] : nil, count: 5))
    case ("check", 3): try check(search, Corpus(folder: words[2]))
    default: throw Failure(usage)
    }
  }

  private static func show(_ results: [ObjectWithScore<Sentence>]) {
    for result in results {
      let score = String(format: "%.3f", result.score)
      print("  \(score)  \(result.object.entry), \(result.object.wordClass): \(result.object.text)")
    }
  }

  private static func check(_ search: Search, _ corpus: Corpus) throws {
    let sentences = try search.store.box(for: Sentence.self).all()
    var met = 0
    var wanted = 0
    for (query, meaning) in try corpus.queries() {
      let results = try search.nearest(to: meaning, wordClass: query.wordClass, count: 5)
      print("\(query.text)\(query.wordClass.map { " (\($0)s only)" } ?? "")")
      show(Array(results.prefix(3)))
      let objects = results.map(\.object)
      guard objects.contains(where: { query.entries.contains($0.entry) }) else {
        throw Failure("none of \(query.entries) is among the answers to '\(query.text)'")
      }
      guard objects.count == 5,
        query.wordClass == nil || objects.allSatisfy({ $0.wordClass == query.wordClass })
      else { throw Failure("the answers to '\(query.text)' are not five of the word class") }
      let exact = Search.nearestOfAll(
        sentences,
        to: meaning,
        wordClass: query.wordClass,
        count: objects.count
      )
      wanted += exact.count
      met += Set(exact).intersection(objects.map(\.id)).count
    }
    print("\(sentences.count) sentences; the index found \(met) of the \(wanted) nearest")
    guard wanted > 0, met * 100 >= wanted * 95 else { throw Failure("the index misses too many") }
  }
}

/// An error for the user.
struct Failure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
