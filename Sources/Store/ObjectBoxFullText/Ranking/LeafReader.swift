/// Reads the leaves of a query from one run.
struct LeafReader {
  private let run: RunReader
  private let live: UnsafePointer<UInt64>?
  private let weights: [UInt8]

  /// The postings of a leaf in a run.
  struct Found {
    /// Nil if there are no postings.
    var stream: LeafStream?
    /// Number of matching objects of the leaf that the run adds; may be negative.
    var matches = 0
  }

  init(_ run: RunReader, weights: [UInt8]) throws(FullTextError) {
    self.run = run
    live = try run.liveBits
    self.weights = weights
  }

  /// Reads a leaf.
  func read(_ leaf: QueryLeaf, _ index: Int) throws(FullTextError) -> Found {
    if leaf.column == nil {
      switch leaf.content {
      case .term(let word):
        guard let cursor = try cursor(word) else { return Found() }
        let stream = cursor.count > 0 ? LeafStream(index, cursor) : nil
        return Found(stream: stream, matches: cursor.count - cursor.deadCount)
      case .prefix(let beginning):
        return found(try PrefixUnion.list(try cursors(beginning), run, live), index)
      case .phrase(let words):
        if let list = try list(words) { return found(list, index) }
      }
    }
    guard let occurrences = try occurrences(leaf) else { return Found() }
    return found(try list(occurrences, column: leaf.column), index)
  }

  /// Makes the list of a phrase of whole words in an index without weights; nil for other phrases.
  private func list(_ words: [PhraseWord]) throws(FullTextError) -> PostingsList? {
    guard weights == [1], words.count > 1, words[0].offset == 0,
      words.allSatisfy({ !$0.isPrefix })
    else { return nil }
    var found: [(cursor: PostingsCursor, offset: UInt32)] = []
    for word in words {
      guard let cursor = try cursor(word.text), cursor.count > 0, cursor.hasPositions
      else { return PostingsList() }
      found.append((cursor, word.offset))
    }
    return try PhraseWalk(found, run).list(live)
  }

  private func found(_ list: PostingsList, _ index: Int) -> Found {
    Found(stream: list.count > 0 ? LeafStream(index, list) : nil, matches: list.count)
  }

  /// Reads the operands of NEAR; all streams have the same documents.
  func readNear(
    _ leaves: ArraySlice<QueryLeaf>,
    distance: Int
  ) throws(FullTextError) -> [LeafStream]? {
    var operands: [(occurrences: Occurrences, column: Int?)] = []
    for leaf in leaves {
      guard let occurrences = try occurrences(leaf) else { return nil }
      operands.append((occurrences, leaf.column))
    }
    let all = operands.map(\.occurrences)
    let byCost = all.sorted { $0.cost < $1.cost }
    let lists = leaves.map { _ in PostingsList() }
    var near = NearMatch(widths: leaves.map(\.width), distance: distance)
    var frequencies = [UInt32](repeating: 0, count: all.count)
    var doc = try PhraseOccurrences.seekAll(byCost, 0)
    while doc != LeafStream.end {
      if live.isLive(doc) {
        for (occurrences, column) in operands {
          try occurrences.readPositions()
          if let column { occurrences.keepPositions(ofColumn: column) }
          if occurrences.positions.isEmpty { break }
        }
        for index in frequencies.indices { frequencies[index] = 0 }
        near.forEach(all) { operand, position in frequencies[operand] += weight(position) }
        if frequencies[0] > 0 {
          for (list, frequency) in zip(lists, frequencies) { list.append(UInt32(doc), frequency) }
        }
      }
      doc = try PhraseOccurrences.seekAll(byCost, doc + 1)
    }
    guard let first = lists.first, first.count > 0 else { return nil }
    return zip(leaves.indices, lists).map { LeafStream($0, $1) }
  }

  // MARK: Postings

  private func cursor(_ word: String) throws(FullTextError) -> PostingsCursor? {
    var word = word
    return try word.withUTF8 { bytes in
      Result { () throws(FullTextError) in try run.postings(of: UnsafeRawBufferPointer(bytes)) }
    }
    .get()
  }

  private func cursors(_ beginning: String) throws(FullTextError) -> [PostingsCursor] {
    let beginning = [UInt8](beginning.utf8)
    return try beginning.withBytes { beginning throws(FullTextError) in
      try run.cursors(startingWith: beginning)
    }
  }

  // MARK: Occurrences

  private func occurrences(_ leaf: QueryLeaf) throws(FullTextError) -> Occurrences? {
    switch leaf.content {
    case .term(let word): try occurrences(word)
    case .prefix(let beginning): try prefix(beginning, nil)
    case .phrase(let words): try phrase(words)
    }
  }

  private func occurrences(_ word: String) throws(FullTextError) -> TermOccurrences? {
    guard let cursor = try cursor(word), cursor.count > 0 else { return nil }
    return TermOccurrences(cursor)
  }

  private func prefix(
    _ beginning: String,
    _ documents: DocumentSet?
  ) throws(FullTextError) -> Occurrences? {
    let occurrences = try PrefixOccurrences(documents: documents) { () throws(FullTextError) in
      try cursors(beginning)
    }
    return occurrences.cost > 0 ? occurrences : nil
  }

  private func phrase(_ words: [PhraseWord]) throws(FullTextError) -> Occurrences? {
    var found: [(occurrences: Occurrences, offset: UInt32)] = []
    for word in words where !word.isPrefix {
      guard let occurrences = try occurrences(word.text) else { return nil }
      found.append((occurrences, word.offset))
    }
    for word in words where word.isPrefix {
      guard let occurrences = try prefix(word.text, try documents(words)) else { return nil }
      found.append((occurrences, word.offset))
    }
    return PhraseOccurrences(found)
  }

  /// Returns the documents that have all whole words of a phrase.
  private func documents(_ words: [PhraseWord]) throws(FullTextError) -> DocumentSet? {
    let whole = words.filter { !$0.isPrefix }
    if whole.isEmpty { return nil }
    var set = DocumentSet(documentCount: run.documentCount)
    var all: [Occurrences] = []
    for word in whole {
      guard let occurrences = try occurrences(word.text) else { return set }
      all.append(occurrences)
    }
    all.sort { $0.cost < $1.cost }
    var doc = try PhraseOccurrences.seekAll(all, 0)
    while doc != LeafStream.end {
      set.insert(doc)
      doc = try PhraseOccurrences.seekAll(all, doc + 1)
    }
    return set
  }

  /// Makes a list of the live documents with occurrences.
  private func list(
    _ occurrences: Occurrences,
    column: Int?
  ) throws(FullTextError) -> PostingsList {
    let list = PostingsList()
    var doc = try occurrences.seek(0)
    while doc != LeafStream.end {
      if live.isLive(doc) {
        try occurrences.readPositions()
        if let column { occurrences.keepPositions(ofColumn: column) }
        let frequency = frequency(occurrences.positions)
        if frequency > 0 { list.append(UInt32(doc), frequency) }
      }
      doc = try occurrences.seek(doc + 1)
    }
    return list
  }

  private func frequency(_ positions: [UInt32]) -> UInt32 {
    if weights.count == 1 { return UInt32(positions.count) * UInt32(weights[0]) }
    return positions.reduce(0) { $0 + weight($1) }
  }

  private func weight(_ position: UInt32) -> UInt32 {
    let column = Int(position >> 24)
    return column < weights.count ? UInt32(weights[column]) : 1
  }
}
