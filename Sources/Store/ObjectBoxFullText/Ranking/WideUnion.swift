/// The documents that at least one of many leaves matches, with their scores if wanted.
///
/// Reads the postings of all leaves window by window, each posting once, so the cost is about linear in the number of
/// leaves. Other algorithms search each leaf for each document or block.
final class WideUnion {
  /// The number of leaves from which reading all postings costs less than skipping postings without a hit.
  static let leastCount = 32
  private static let windowSize = 4096

  /// The streams in the order of the query; parts of scores are added in this order.
  let streams: [LeafStream]
  private var active: [LeafStream]
  private let scoring: (scorer: Scorer, run: RunReader)?
  /// The documents of the window: from `start` up to, but not including, `end`.
  private var (start, end) = (0, 0)
  private let bits: UnsafeMutablePointer<UInt64>
  /// For each document of the window, the score, and the part of its denominators for the length.
  private let scores: UnsafeMutablePointer<Double>
  private let norms: UnsafeMutablePointer<Double>

  /// - Parameters:
  ///   - streams: The leaves in the order of the query, at their beginning.
  ///   - scoring: The data for scores; nil without scores.
  init(_ streams: [LeafStream], scoring: (scorer: Scorer, run: RunReader)? = nil) {
    self.streams = streams
    active = streams
    self.scoring = scoring
    let scoreCount = scoring == nil ? 0 : Self.windowSize
    bits = .allocate(capacity: Self.windowSize / 64)
    scores = .allocate(capacity: scoreCount)
    norms = .allocate(capacity: scoreCount)
  }

  deinit {
    bits.deallocate()
    scores.deallocate()
    norms.deallocate()
  }

  /// Number of postings.
  var cost: Int { streams.reduce(0) { $0 + $1.count } }

  /// Returns the first document at or after a target; `LeafStream.end` if there is none.
  ///
  /// Targets ascend.
  func seek(_ target: Int) throws(FullTextError) -> Int {
    var target = target
    while true {
      if target >= end {
        guard try fill(from: target) else { return LeafStream.end }
        target = start
      }
      var place = (target - start) / 64
      var word = bits[place] & ~0 << UInt64((target - start) % 64)
      while word == 0, place + 1 < Self.windowSize / 64 {
        place += 1
        word = bits[place]
      }
      if word != 0 { return start + place * 64 + word.trailingZeroBitCount }
      target = end
    }
  }

  /// The score of a document that the last `seek` has found.
  func score(_ document: Int) -> Double { scores[document - start] }

  /// Reads the window that begins with the first document at or after a target; false if there is none.
  private func fill(from target: Int) throws(FullTextError) -> Bool {
    start = LeafStream.end
    for stream in active { start = min(start, try stream.seek(target)) }
    guard start != LeafStream.end else { return false }
    end = start + Self.windowSize
    active.removeAll(where: \.isEnded)
    bits.update(repeating: 0, count: Self.windowSize / 64)
    for stream in active {
      while stream.doc < end {
        let last = Int(stream.end(end - 1))
        if let scoring {
          try add(stream, last, scoring.scorer, scoring.run)
        } else {
          mark(stream, last)
        }
        _ = try stream.seek(min(end, stream.blockLast + 1))
      }
    }
    return true
  }

  /// Marks the documents of the current block up to an index.
  private func mark(_ stream: LeafStream, _ last: Int) {
    let ordinals = stream.ordinals
    for index in stream.index..<last {
      let slot = Int(ordinals[index]) - start
      bits[slot / 64] |= 1 << UInt64(slot % 64)
    }
  }

  /// Adds the scores of the postings of the current block up to an index.
  private func add(
    _ stream: LeafStream,
    _ last: Int,
    _ scorer: Scorer,
    _ run: RunReader
  ) throws(FullTextError) {
    let (ordinals, frequencies) = (stream.ordinals, stream.frequencies)
    for index in stream.index..<last {
      let slot = Int(ordinals[index]) - start
      let bit: UInt64 = 1 << UInt64(slot % 64)
      if bits[slot / 64] & bit == 0 {
        bits[slot / 64] |= bit
        scores[slot] = 0
        norms[slot] = scorer.norm(length: try run.length(of: ordinals[index]))
      }
      scores[slot] += scorer.part(
        frequency: frequencies[index],
        norm: norms[slot],
        weight: stream.weight
      )
    }
  }
}
