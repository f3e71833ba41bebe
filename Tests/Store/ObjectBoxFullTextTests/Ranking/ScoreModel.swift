import Foundation
import ObjectBoxFullText

/// Answers queries by looking at all texts.
struct ScoreModel {
  /// The texts of each object, a list of words for each column.
  let objects: [UInt64: [[String]]]
  let weights: [UInt8]
  private let averageLength: Double
  private let k1 = 1.2
  private let b = 0.75

  init(_ objects: [UInt64: [String]], weights: [UInt8]) {
    self.objects = objects.mapValues { texts in
      texts.map { $0.split(separator: " ").map(String.init) }
    }
    self.weights = weights
    let count = self.objects.values.reduce(0) { $0 + $1.reduce(0) { $0 + $1.count } }
    averageLength = Double(count) / Double(objects.count)
  }

  /// A column and an index in its words.
  private struct Place: Hashable {
    var column: Int
    var index: Int
  }

  /// The places of each leaf that adds to the score, in the order of the query.
  private typealias Places = [[Place]]

  /// Returns the matches by ascending IDs.
  func hits(_ expression: TextExpression) -> [FullTextHit] {
    let leafWeights = leaves(expression, nil).map { leaf, column -> Double in
      let matches = objects.values.count { !places(leaf, column, $0).isEmpty }
      let weight = log(
        (Double(objects.count - matches) + 0.5) / (Double(matches) + 0.5)
      )
      return weight <= 0 ? 1e-6 : weight
    }
    return objects.compactMap { id, words -> FullTextHit? in
      guard let found = match(expression, nil, words) else { return nil }
      let length = Double(words.reduce(0) { $0 + $1.count })
      var score = 0.0
      for (places, weight) in zip(found, leafWeights) {
        let frequency = places.reduce(0.0) { $0 + Double(weights[$1.column]) }
        score +=
          weight
          * ((frequency * (k1 + 1.0))
            / (frequency + k1 * (1 - b + b * length / averageLength)))
      }
      return FullTextHit(id: id, score: score)
    }.sorted { $0.id < $1.id }
  }

  private func leaves(
    _ expression: TextExpression,
    _ column: Int?
  ) -> [(TextExpression, Int?)] {
    switch expression {
    case .term, .prefix, .phrase: [(expression, column)]
    case .near(let operands, _), .all(let operands), .any(let operands):
      operands.flatMap { leaves($0, column) }
    case .excluding(let first, _): leaves(first, column)
    case .column(let operand, let column): leaves(operand, column)
    }
  }

  /// Returns nil for an object that does not match.
  private func match(_ expression: TextExpression, _ column: Int?, _ words: [[String]]) -> Places? {
    switch expression {
    case .term, .prefix, .phrase:
      let places = places(expression, column, words)
      return places.isEmpty ? nil : [places]
    case .near(let operands, let distance):
      return near(operands, distance, column, words)
    case .all(let operands):
      var all: Places = []
      for operand in operands {
        guard let places = match(operand, column, words) else { return nil }
        all += places
      }
      return all
    case .any(let operands):
      let all = operands.map { match($0, column, words) }
      if all.allSatisfy({ $0 == nil }) { return nil }
      return zip(operands, all).flatMap { operand, places in
        places ?? leaves(operand, column).map { _ in [] }
      }
    case .excluding(let first, let second):
      return match(second, column, words) == nil ? match(first, column, words) : nil
    case .column(let operand, let column):
      return match(operand, column, words)
    }
  }

  private func places(
    _ leaf: TextExpression,
    _ column: Int?,
    _ words: [[String]]
  ) -> [Place] {
    let phrase: [PhraseWord] =
      switch leaf {
      case .term(let word): [PhraseWord(word, offset: 0)]
      case .prefix(let word): [PhraseWord(word, isPrefix: true, offset: 0)]
      case .phrase(let words): words
      default: []
      }
    var places: [Place] = []
    for (number, words) in words.enumerated() where column ?? number == number {
      for start in words.indices {
        let isMatch = phrase.allSatisfy { word in
          let place = start + Int(word.offset)
          guard place < words.count else { return false }
          // By bytes: equal characters may have several forms.
          let bytes = Array(words[place].utf8)
          let wanted = Array(word.text.utf8)
          return word.isPrefix ? bytes.starts(with: wanted) : bytes == wanted
        }
        if isMatch { places.append(Place(column: number, index: start)) }
      }
    }
    return places
  }

  /// As FTS5: the walk of the places, of which the one that comes first moves on.
  private func near(
    _ operands: [TextExpression],
    _ distance: Int,
    _ column: Int?,
    _ words: [[String]]
  ) -> Places? {
    let all = operands.map { places($0, column, words) }
    let widths = operands.map { operand -> Int in
      if case .phrase(let words) = operand { Int(words[words.count - 1].offset) + 1 } else { 1 }
    }
    guard all.allSatisfy({ !$0.isEmpty }) else { return nil }
    let stride = 1 << 40
    let starts = all.map { $0.map { $0.column * stride + $0.index } }
    var indices = all.map { _ in 0 }
    var found = all.map { _ in Set<Int>() }
    walk: while true {
      let greatest = indices.enumerated().map { starts[$0.offset][$0.element] }.max() ?? 0
      for (number, index) in indices.enumerated()
      where starts[number][index] < greatest - widths[number] - distance {
        if index + 1 == starts[number].count { break walk }
        indices[number] += 1
        continue walk
      }
      for (number, index) in indices.enumerated() { found[number].insert(index) }
      let next = indices.indices.filter { indices[$0] + 1 < starts[$0].count }.min {
        starts[$0][indices[$0] + 1] < starts[$1][indices[$1] + 1]
      }
      guard let next else { break }
      indices[next] += 1
    }
    guard found.allSatisfy({ !$0.isEmpty }) else { return nil }
    return zip(all, found).map { places, found in found.sorted().map { places[$0] } }
  }
}
