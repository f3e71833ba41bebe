import Foundation

/// The files written by `embed.py corpus`.
struct Corpus {
  let folder: String

  /// The sentences with their vectors.
  func sentences() throws -> [(CorpusRow, [Float])] {
    try pairs(of: "sentences")
  }

  /// The queries with their vectors.
  func queries() throws -> [(QueryRow, [Float])] {
    try pairs(of: "queries")
  }

  private func pairs<Row: Decodable>(of name: String) throws -> [(Row, [Float])] {
    let text = try String(contentsOfFile: "\(folder)/\(name).jsonl", encoding: .utf8)
    let decoder = JSONDecoder()
    let rows = try text.split(separator: "\n").map {
      try decoder.decode(Row.self, from: Data($0.utf8))
    }
    let data = try Data(contentsOf: URL(filePath: "\(folder)/\(name).f32"))
    let numbers = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    guard numbers.count == rows.count * Self.dimensions else {
      throw Failure("\(name).f32 has \(numbers.count) numbers for \(rows.count) rows")
    }
    return rows.enumerated().map { place, row in
      (row, Array(numbers[place * Self.dimensions..<(place + 1) * Self.dimensions]))
    }
  }

  private static let dimensions = 384
}

/// A line of `sentences.jsonl`.
struct CorpusRow: Decodable {
  var entry: String
  var wordClass: String
  var text: String
}

/// A question, and the entries of which at least one must be among its answers.
struct QueryRow: Decodable {
  var text: String
  var entries: [String]
  /// The word class of the answers, or nil for any.
  var wordClass: String?
}
