import Foundation
import ObjectBox

/// The terminal program.
@main
enum Main {
  static let usage = """
    usage: SemanticSearch STORE COMMAND
      import FOLDER          stores the sentences and vectors that embed.py wrote
      search TEXT [CLASS]    shows the sentences that answer a text by its words and by its vector, a line of JSON on
                             standard input
      check FOLDER           asks the queries in the folder; ends with status 1 unless words and meaning together answer
                             each of them, and the index finds what a comparison with all sentences finds
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
    case ("search", 3...4):
      let meaning = try JSONDecoder().decode([Float].self, from: Data((readLine() ?? "").utf8))
      let wordClass = words.count == 4 ? words[3] : nil
      let question = Question(text: words[2], meaning: meaning, wordClass: wordClass)
      for answer in try search.byBoth(question, count: 5) {
        let score = String(format: "%.4f", answer.score)
        print(
          "  \(score)  \(answer.sentence.entry), \(answer.sentence.wordClass): \(answer.snippet)"
        )
      }
    case ("check", 3): try Check.run(search, Corpus(folder: words[2]))
    default: throw Failure(usage)
    }
  }
}

/// An error for the user.
struct Failure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
