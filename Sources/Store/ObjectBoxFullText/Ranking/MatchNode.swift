/// A condition of a query in one run: finds the documents that match, in ascending order.
final class MatchNode {
  enum Kind {
    case leaf(LeafStream)
    /// Ordered by cost.
    case all([MatchNode])
    case any([MatchNode])
    case excluding(MatchNode, MatchNode)
    /// Many leaves without scores; one match is enough.
    case wide(WideUnion)
  }

  let kind: Kind
  /// Upper estimate of the number of documents that match.
  let cost: Int
  /// The document that the last search found.
  private(set) var doc = -1

  init(_ kind: Kind) {
    switch kind {
    case .leaf(let stream):
      cost = stream.count
      self.kind = kind
    case .all(let children):
      let sorted = children.sorted { $0.cost < $1.cost }
      self.kind = .all(sorted)
      cost = sorted.first?.cost ?? 0
    case .any(let children):
      self.kind = kind
      cost = children.reduce(0) { $0 + $1.cost }
    case .excluding(let included, _):
      self.kind = kind
      cost = included.cost
    case .wide(let union):
      self.kind = kind
      cost = union.cost
    }
  }

  /// Number of postings that a walk over all matches reads.
  var postingsCount: Int {
    switch kind {
    case .leaf(let stream): stream.count
    case .all(let children): children.reduce(0) { $0 + min($1.cost, 8 * cost) }
    case .any(let children): cost + children.count
    case .excluding(let included, let excluded): included.cost + excluded.cost
    case .wide: cost
    }
  }

  /// The streams of the leaves that add to scores.
  var scoredStreams: [LeafStream] {
    switch kind {
    case .leaf(let stream): [stream]
    case .all(let children), .any(let children): children.flatMap(\.scoredStreams)
    case .excluding(let included, _): included.scoredStreams
    case .wide(let union): union.streams
    }
  }

  /// Returns the first match at or after a document; `LeafStream.end` if there is none.
  func seek(_ target: Int) throws(FullTextError) -> Int {
    if doc >= target { return doc }
    switch kind {
    case .leaf(let stream): doc = try stream.seek(target)
    case .all(let children): doc = try seekAll(children, target)
    case .any(let children):
      var least = LeafStream.end
      for child in children { least = min(least, try child.seek(target)) }
      doc = least
    case .excluding(let included, let excluded):
      doc = try included.seek(target)
      while doc != LeafStream.end, try excluded.seek(doc) == doc {
        doc = try included.seek(doc + 1)
      }
    case .wide(let union): doc = try union.seek(target)
    }
    return doc
  }

  private func seekAll(_ children: [MatchNode], _ target: Int) throws(FullTextError) -> Int {
    var target = target
    search: while true {
      for child in children {
        let found = try child.seek(target)
        if found == target { continue }
        if found == LeafStream.end { return found }
        // Starts over, unless the first child moved: the others are searched next anyway.
        target = found
        if child !== children[0] { continue search }
      }
      return target
    }
  }

  /// Passes the streams of the leaves that have matched the current document.
  func forEachMatched(_ body: (LeafStream) -> Void) {
    switch kind {
    case .leaf(let stream): body(stream)
    case .all(let children): for child in children { child.forEachMatched(body) }
    case .any(let children):
      for child in children where child.doc == doc { child.forEachMatched(body) }
    case .excluding(let included, _): included.forEachMatched(body)
    case .wide: break
    }
  }

  /// Upper bound of the scores of the documents from `target` to `last`, which it sets; negative if none matches.
  func bound(from target: Int, last: inout Int) throws(FullTextError) -> Double {
    switch kind {
    case .leaf(let stream):
      guard try stream.skip(to: target) else { return -1 }
      last = min(last, stream.blockLast)
      return stream.blockBound
    case .all(let children):
      var sum = 0.0
      for child in children {
        let bound = try child.bound(from: target, last: &last)
        if bound < 0 { return bound }
        sum += bound
      }
      return sum
    case .any(let children):
      var sum = -1.0
      for child in children {
        let bound = try child.bound(from: target, last: &last)
        if bound >= 0 { sum = max(sum, 0) + bound }
      }
      return sum
    case .excluding(let included, _): return try included.bound(from: target, last: &last)
    case .wide: return .infinity
    }
  }
}
