import CObjectBoxFullText

/// The best matches of a query, gathered run by run.
final class Ranking {
  let scorer: Scorer
  private let filter: FullTextFilter
  private let hasIDs: Bool
  /// The place of the current document in the filter; starts over with each run.
  @exclusivity(unchecked) private var walk: FilterWalk
  @exclusivity(unchecked) private(set) var hits: TopHits
  /// Number of scored documents.
  private(set) var scoredCount = 0
  /// Sums of scores of a window of documents, and bits of the documents; zero between windows.
  private lazy var sums = Self.zeros(Self.windowSize, as: Float.self)
  private lazy var bits = Self.zeros(Self.windowSize / 64, as: UInt64.self)
  private var hasWindow = false
  private let selected: UnsafeMutablePointer<UInt8>
  private static let windowSize = 4096
  /// Number of postings that are scored together.
  private static let foundCount = 32

  init(_ scorer: Scorer, _ filter: FullTextFilter, capacity: Int) {
    self.scorer = scorer
    self.filter = filter
    hasIDs = filter.ids != nil
    walk = FilterWalk(filter)
    hits = TopHits(capacity: capacity)
    selected = .allocate(capacity: PostingsView.capacity)
  }

  deinit {
    selected.deallocate()
    guard hasWindow else { return }
    sums.deallocate()
    bits.deallocate()
  }

  private static func zeros<T: Numeric>(_ count: Int, as type: T.Type) -> UnsafeMutablePointer<T> {
    let zeros = UnsafeMutablePointer<T>.allocate(capacity: count)
    zeros.initialize(repeating: 0, count: count)
    return zeros
  }

  /// Returns whether a document is live and in the filter; documents of a run ascend.
  @inline(__always)
  private func isCandidate(_ document: Int, _ search: RunSearch) throws(FullTextError) -> Bool {
    guard search.isLive(document) else { return false }
    guard hasIDs else { return true }
    return walk.contains(try search.run.id(of: UInt32(document)))
  }

  /// Scores a candidate at which the streams of a search are.
  private func offer(_ document: Int, _ search: RunSearch) throws {
    try offer(document, search, score: try search.score(document, scorer))
  }

  @inline(__always)
  private func offer(_ document: Int, _ search: RunSearch, score: Double) throws {
    scoredCount += 1
    guard score >= hits.threshold else { return }
    let id = try search.run.id(of: UInt32(document))
    guard try filter.predicate?(id) ?? true else { return }
    hits.add(FullTextHit(id: id, score: score))
  }

  // MARK: Any condition

  /// Ranks the documents that match a condition.
  func rank(_ search: RunSearch, _ root: MatchNode) throws {
    walk = FilterWalk(filter)
    var document = 0
    // The last document for which the bound holds.
    var last = -1
    while true {
      if document > last, hits.threshold > 0 {
        last = LeafStream.end - 1
        let bound = try root.bound(from: document, last: &last)
        if bound < 0 { return }
        if bound < hits.threshold {
          document = last + 1
          last = -1
          continue
        }
      }
      let found = try root.seek(document)
      if found == LeafStream.end { return }
      if found > last, hits.threshold > 0 {
        document = found
        continue
      }
      if try isCandidate(found, search) { try offer(found, search) }
      document = found + 1
    }
  }

  /// Ranks the given documents (ascending) that match a condition.
  func rank(_ search: RunSearch, _ root: MatchNode, among documents: [UInt32]) throws {
    for document in documents.lazy.map(Int.init) where search.isLive(document) {
      if hits.threshold > 0 {
        var last = LeafStream.end
        guard try root.bound(from: document, last: &last) >= hits.threshold else { continue }
      }
      guard try root.seek(document) == document else { continue }
      try offer(document, search)
    }
  }

  // MARK: Conjunctions

  /// Ranks the documents that all given leaves match.
  ///
  /// Skips blocks with bounds that do not add up to the score of the worst hit so far. In the other blocks, takes the
  /// postings of the rarest leaf that can make a hit, and looks up only these in the other leaves.
  func rank(_ search: RunSearch, conjunction streams: [LeafStream]) throws {
    walk = FilterWalk(filter)
    let byCount = streams.sorted { $0.count < $1.count }
    let (rarest, others) = (byCount[0], byCount.dropFirst())
    var start = 0
    while true {
      var last = LeafStream.end - 1
      var bound = 0.0
      for stream in byCount {
        guard try stream.skip(to: start) else { return }
        last = min(last, stream.blockLast)
        bound += stream.blockBound
      }
      if bound < hits.threshold {
        start = skipped(byCount, last)
        continue
      }
      let first = try rarest.seek(start)
      if first > last {
        start = first
        continue
      }
      let othersBound = bound - rarest.blockBound
      try forEachCandidate(search, rarest, to: last, othersBound) { document in
        for other in others {
          guard try other.seek(document) == document else { return }
        }
        // Candidates only move forward: the rarest leaf is at this candidate or before it.
        guard try rarest.seek(document) == document else { return }
        try offer(document, search)
      }
      start = last + 1
    }
  }

  /// Ranks the given documents (ascending) that all given leaves match.
  ///
  /// Skips blocks as above. In the other blocks of the rarest leaf, looks up only the given documents.
  func rank(
    _ search: RunSearch,
    conjunction streams: [LeafStream],
    among documents: UnsafeBufferPointer<UInt32>
  ) throws {
    let byCount = streams.sorted { $0.count < $1.count }
    let (rarest, others) = (byCount[0], byCount.dropFirst())
    let found = PostingsView()
    var place = 0
    while place < documents.count {
      let first = Int(documents[place])
      var last = LeafStream.end - 1
      var bound = 0.0
      for stream in byCount {
        guard try stream.skip(to: first) else { return }
        last = min(last, stream.blockLast)
        bound += stream.blockBound
      }
      let isPassed = bound < hits.threshold
      if isPassed { last = skipped(byCount, last) - 1 }
      let start = place
      while place < documents.count, Int(documents[place]) <= last { place += 1 }
      if isPassed { continue }
      found.removeAll()
      try found.add(rarest, UnsafeBufferPointer(rebasing: documents[start..<place]))
      let othersBound = bound - rarest.blockBound
      try forEachCandidate(search, found, rarest.parameters(scorer), othersBound) { index in
        let document = Int(found.ordinals[index])
        for other in others {
          guard try other.seek(document) == document else { return }
        }
        guard try rarest.seek(document) == document else { return }
        try offer(document, search)
      }
    }
  }

  /// Ranks the given documents (ascending) that the leaf matches.
  ///
  /// Skips segments and blocks as above, and unpacks none: the frequencies of the documents are enough.
  func rank(
    _ search: RunSearch,
    lone stream: LeafStream,
    among documents: UnsafeBufferPointer<UInt32>
  ) throws {
    let found = PostingsView()
    var place = 0
    while place < documents.count, try stream.skip(to: Int(documents[place])) {
      let segment = stream.segment
      if segment.bound < hits.threshold {
        let rest = documents[place...]
        place = rest.partitioningIndex { Int($0) > segment.last }
        continue
      }
      // Not block by block: the processor reads the lengths of several documents at once.
      let least = hits.threshold
      try stream.find(documents, from: &place, least: least, found, until: Self.foundCount)
      if found.count >= Self.foundCount { try offer(found, of: stream, search) }
    }
    try offer(found, of: stream, search)
  }

  /// Scores the found postings of a leaf, and removes them.
  private func offer(_ found: PostingsView, of stream: LeafStream, _ search: RunSearch) throws {
    try forEachCandidate(search, found, stream.parameters(scorer), 0) { index in
      let document = found.ordinals[index]
      let score = scorer.part(
        frequency: found.frequencies[index],
        length: try search.run.length(of: document),
        weight: stream.weight
      )
      try offer(Int(document), search, score: score)
    }
    found.removeAll()
  }

  /// Passes the indices of the postings with live documents that may make a hit.
  private func forEachCandidate(
    _ search: RunSearch,
    _ block: PostingsView,
    _ parameters: obx_score_parameters,
    _ othersBound: Double,
    _ body: (Int) throws -> Void
  ) throws {
    var next: UInt32 = 0
    while next < block.count {
      var count = 1
      let least = hits.threshold - othersBound
      if least > 0 {
        let found = obx_select(
          block.ordinals,
          block.frequencies,
          &next,
          block.count,
          search.run.lengthTable(),
          parameters,
          least,
          selected
        )
        count = Int(found)
        if next < block.count {
          try search.run.readLengths(Int(block.ordinals[Int(next)]) / NumberTable.chunkCount)
        }
      } else {
        selected[0] = UInt8(next)
        next += 1
      }
      for index in 0..<count {
        let index = Int(selected[index])
        if search.isLive(Int(block.ordinals[index])) { try body(index) }
      }
    }
  }

  // MARK: Alternatives

  /// Ranks the documents that at least one of many leaves matches.
  func rank(_ search: RunSearch, wide streams: [LeafStream]) throws {
    walk = FilterWalk(filter)
    let union = WideUnion(streams, scoring: (scorer, search.run))
    var document = try union.seek(0)
    while document != LeafStream.end {
      let score = union.score(document)
      if score >= hits.threshold, try isCandidate(document, search) {
        try offer(document, search, score: score)
      }
      document = try union.seek(document + 1)
    }
  }

  /// Ranks the documents that at least one of the given leaves matches.
  ///
  /// Skips blocks with bounds that do not add up to the score of the worst hit so far. The leaves with the least
  /// bounds, which cannot make a hit without others, are only searched for documents of the others (MaxScore).
  func rank(_ search: RunSearch, alternatives streams: [LeafStream]) throws {
    walk = FilterWalk(filter)
    var active = streams
    // Streams by ascending bounds of their blocks.
    var ordered = streams
    var start = 0
    while true {
      var last = LeafStream.end - 1
      var bound = 0.0
      var endedCount = 0
      for stream in active {
        guard try stream.skip(to: start) else {
          endedCount += 1
          continue
        }
        last = min(last, stream.blockLast)
        bound += stream.blockBound
      }
      if endedCount == active.count { return }
      if endedCount > 0 {
        active.removeAll(where: \.isEnded)
        ordered = active
      }
      if bound < hits.threshold {
        start = skipped(active, last)
        continue
      }
      // Leaves that cannot make a hit without others.
      var optionalCount = 0
      var optionalBound = 0.0
      if active.count > 1 {
        sort(&ordered)
        for stream in ordered.dropLast() {
          guard optionalBound + stream.blockBound < hits.threshold else { break }
          optionalBound += stream.blockBound
          optionalCount += 1
        }
      }
      var first = LeafStream.end
      for stream in ordered[optionalCount...] { first = min(first, try stream.seek(start)) }
      if first > last {
        // After the window, the other leaves may have greater bounds.
        start = last + 1
        continue
      }
      let needed = ordered[optionalCount...]
      if needed.count == 1, let stream = needed.first {
        try forEachCandidate(search, stream, to: last, optionalBound) { document in
          for other in active { _ = try other.seek(document) }
          try offer(document, search)
        }
      } else {
        last = min(last, first + Self.windowSize - 1)
        try rank(search, active, needed, from: first, to: last, optionalBound)
      }
      start = last + 1
    }
  }

  /// Returns the document after the blocks or segments that have no hit.
  private func skipped(_ streams: [LeafStream], _ last: Int) -> Int {
    var segmentLast = LeafStream.end - 1
    var bound = 0.0
    for stream in streams {
      let segment = stream.segment
      segmentLast = min(segmentLast, segment.last)
      bound += segment.bound
    }
    return (bound < hits.threshold ? max(segmentLast, last) : last) + 1
  }

  /// Sorts the few streams, which are mostly sorted already.
  private func sort(_ streams: inout [LeafStream]) {
    for index in 1..<streams.count {
      var place = index
      while place > 0, streams[place].blockBound < streams[place - 1].blockBound {
        streams.swapAt(place, place - 1)
        place -= 1
      }
    }
  }

  /// Passes the live documents of a leaf's block that may make a hit, from the stream's place up to a document.
  private func forEachCandidate(
    _ search: RunSearch,
    _ stream: LeafStream,
    to last: Int,
    _ othersBound: Double,
    _ body: (Int) throws -> Void
  ) throws {
    let ordinals = stream.ordinals
    var next = UInt32(stream.index)
    let end = stream.end(last)
    let parameters = stream.parameters(scorer)
    while next < end {
      let start = Int(next)
      var count = 0
      let least = hits.threshold - othersBound
      if least > 0 {
        let found = obx_select(
          ordinals,
          stream.frequencies,
          &next,
          end,
          search.run.lengthTable(),
          parameters,
          least,
          selected
        )
        count = Int(found)
        if next < end {
          try search.run.readLengths(Int(ordinals[Int(next)]) / NumberTable.chunkCount)
        }
      } else {
        // Few at a time: each raises the score that later ones need.
        count = min(Int(end) - start, 16)
        for index in 0..<count { selected[index] = UInt8(start + index) }
        next = UInt32(start + count)
      }
      for index in 0..<count {
        let document = Int(ordinals[Int(selected[index])])
        if try isCandidate(document, search) { try body(document) }
      }
    }
  }

  /// Ranks the documents of a window that at least one of the needed leaves matches.
  private func rank(
    _ search: RunSearch,
    _ streams: [LeafStream],
    _ needed: ArraySlice<LeafStream>,
    from first: Int,
    to last: Int,
    _ optionalBound: Double
  ) throws {
    hasWindow = true
    let (sums, bits) = (sums, bits)
    let lengths = search.run.lengthTable()
    for stream in needed where stream.doc <= last {
      var next = UInt32(stream.index)
      let end = stream.end(last)
      while next < end {
        obx_accumulate(
          stream.ordinals,
          stream.frequencies,
          &next,
          end,
          lengths,
          stream.parameters(scorer),
          UInt32(first),
          sums,
          bits
        )
        if next < end {
          try search.run.readLengths(Int(stream.ordinals[Int(next)]) / NumberTable.chunkCount)
        }
      }
    }
    for word in 0...(last - first) / 64 {
      var rest = bits[word]
      bits[word] = 0
      while rest != 0 {
        let slot = word * 64 + rest.trailingZeroBitCount
        rest &= rest - 1
        let sum = Double(sums[slot])
        sums[slot] = 0
        // Allows for the error of the sum.
        guard sum * (1 + 1e-4) + optionalBound >= hits.threshold else { continue }
        let document = first + slot
        guard try isCandidate(document, search) else { continue }
        for stream in streams { _ = try stream.seek(document) }
        try offer(document, search)
      }
    }
  }
}
