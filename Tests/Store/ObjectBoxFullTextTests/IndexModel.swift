import Foundation
import ObjectBoxFullText
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// A store with the tables of an index, and the texts that the index should have.
final class IndexModel {
  /// The words of the objects: each with its position.
  typealias Text = [(word: String, position: UInt32)]

  private let folder: TemporaryDirectory
  private var environment: StorageEnvironment
  private(set) var tables: FullTextTables
  let settings: FullTextSettings
  private(set) var texts: [UInt64: Text] = [:]
  private let memory = FullTextStateMemory()

  private var transaction: StorageTransaction?
  private var writer: FullTextWriter?
  private var before: [UInt64: Text] = [:]
  var memoryLimit = FullTextWriter.memoryLimit
  var stepSize = FullTextWriter.stepSize

  init(_ settings: FullTextSettings = FullTextSettings()) throws {
    self.settings = settings
    folder = try TemporaryDirectory()
    environment = try Self.open(folder)
    let transaction = try environment.beginWrite()
    tables = FullTextTables(
      runs: try #require(try transaction.openTable("f1", .plain, create: true)),
      state: try #require(try transaction.openTable("s1", .plain, create: true))
    )
    try transaction.commit()
  }

  deinit {
    writer = nil
    transaction?.abortUnlessEnded()
    environment.close()
  }

  private static func open(_ folder: TemporaryDirectory) throws -> StorageEnvironment {
    var options = StorageEnvironment.Options(mapSizeInBytes: 1 << 30, maximumTableCount: 4)
    options.isDurable = false
    return try StorageEnvironment(directory: folder.path, options: options)
  }

  // MARK: Writing

  func begin() throws {
    let transaction = try environment.beginWrite()
    self.transaction = transaction
    before = texts
    try makeWriter(transaction)
  }

  private func makeWriter(_ transaction: StorageTransaction) throws {
    writer = try FullTextWriter(
      tables,
      transaction,
      settings,
      memory: memory,
      memoryLimit: memoryLimit,
      stepSize: stepSize
    )
  }

  func put(_ id: UInt64, _ text: Text) throws {
    if let old = texts[id] {
      #expect(try #require(writer).remove(id, Self.tokens(old)))
    }
    try #require(writer).add(id, Self.tokens(text))
    texts[id] = text
  }

  func put(_ id: UInt64, _ text: String) throws { try put(id, Self.split(text)) }

  func remove(_ id: UInt64) throws {
    let old = texts.removeValue(forKey: id)
    #expect(try #require(writer).remove(id, Self.tokens(old ?? [])) == (old != nil))
  }

  func flush() throws { try #require(writer).flush() }

  func mergeAll() throws { try #require(writer).mergeAll() }

  func commit() throws {
    try flush()
    writer = nil
    try #require(transaction).commit()
    transaction = nil
  }

  func abort() throws {
    writer = nil
    try #require(transaction).abort()
    transaction = nil
    texts = before
  }

  /// Runs a body in one transaction.
  func write(_ body: () throws -> Void) throws {
    try begin()
    try body()
    try commit()
  }

  /// Runs a body in a child of the open transaction, and undoes the child.
  func writeAndUndo(_ body: () throws -> Void) throws {
    try flush()
    let parent = try #require(transaction)
    let child = try environment.beginWrite(inside: parent)
    let before = texts
    try makeWriter(child)
    try body()
    try flush()
    writer = nil
    child.abort()
    texts = before
    try makeWriter(parent)
  }

  func reopen() throws {
    environment.close()
    environment = try Self.open(folder)
    let transaction = try environment.beginWrite()
    tables = FullTextTables(
      runs: try #require(try transaction.openTable("f1", .plain, create: false)),
      state: try #require(try transaction.openTable("s1", .plain, create: false))
    )
    try transaction.commit()
  }

  func beginRead() throws -> StorageTransaction { try environment.beginRead() }

  /// Changes the tables directly.
  func damage(_ body: (StorageTransaction, FullTextTables) throws -> Void) throws {
    let transaction = try environment.beginWrite()
    try body(transaction, tables)
    try transaction.commit()
  }

  /// Passes a transaction that is rolled back.
  func tryDamage(_ body: (StorageTransaction, FullTextTables) throws -> Void) throws {
    let transaction = try environment.beginWrite()
    defer { transaction.abortUnlessEnded() }
    try body(transaction, tables)
  }

  // MARK: Comparing

  static func split(_ text: String) -> Text {
    text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.enumerated().map {
      ($0.element.lowercased(), UInt32($0.offset))
    }
  }

  static func tokens(_ text: Text) -> FullTextTokens {
    var tokens = FullTextTokens()
    for (word, position) in text {
      var word = word
      word.withUTF8 { tokens.append(UnsafeRawBufferPointer($0), position: position) }
    }
    return tokens
  }

  private struct Posting: Hashable {
    var frequency: UInt32
    var positions: [UInt32]
  }

  private func expected(_ texts: [UInt64: Text]) -> [[UInt8]: [UInt64: Posting]] {
    var terms: [[UInt8]: [UInt64: Posting]] = [:]
    for (id, text) in texts {
      for (word, position) in text {
        let term = Array(word.utf8.prefix(TermLimit.size))
        let column = Int(position >> 24)
        terms[term, default: [:]][id, default: Posting(frequency: 0, positions: [])].positions
          .append(position)
        terms[term]?[id]?.frequency += UInt32(settings.weights[column])
      }
    }
    return terms
  }

  /// Expects the index to have exactly the texts.
  func verify(_ transaction: StorageTransaction? = nil, _ texts: [UInt64: Text]? = nil) throws {
    let texts = texts ?? self.texts
    let read = try transaction ?? self.transaction ?? environment.beginRead()
    defer { if transaction == nil, self.transaction == nil { read.abort() } }
    let reader = try FullTextReader(tables, read)
    #expect(reader.objectCount == texts.count)
    let wordCount = texts.values.reduce(0) { $0 + $1.count }
    #expect(reader.averageLength == (texts.isEmpty ? 0 : Double(wordCount) / Double(texts.count)))
    var found: [[UInt8]: [UInt64: Posting]] = [:]
    var counts: [[UInt8]: Int] = [:]
    var ids: Set<UInt64> = []
    for run in reader.runs {
      let live = try run.liveBits
      func isLive(_ ordinal: UInt32) -> Bool {
        live.map { $0[Int(ordinal / 64)] >> (ordinal % 64) & 1 == 1 } ?? true
      }
      for ordinal in 0..<UInt32(run.documentCount) where isLive(ordinal) {
        let id = try run.id(of: ordinal)
        #expect(ids.insert(id).inserted)
        #expect(try run.firstOrdinal(from: id) == ordinal)
        #expect(try run.length(of: ordinal) == UInt32(min(texts[id]?.count ?? -1, 65535)))
      }
      try run.forEachTerm(startingWith: UnsafeRawBufferPointer(start: nil, count: 0)) {
        term,
        cursor in
        counts[Array(term), default: 0] += cursor.count - cursor.deadCount
        try readPostings(cursor, run, isLive) { id, posting in
          if found[Array(term), default: [:]].updateValue(posting, forKey: id) != nil {
            Issue.record("two postings of an object")
          }
        }
      }
    }
    #expect(ids == Set(texts.keys))
    let expected = expected(texts)
    #expect(found == expected)
    #expect(counts.filter { $0.value != 0 } == expected.mapValues(\.count))
    try verifyTerms(reader, expected.keys)
    #expect(FullTextCheck.run(tables, read) == [])
  }

  private func readPostings(
    _ cursor: PostingsCursor,
    _ run: RunReader,
    _ isLive: (UInt32) -> Bool,
    _ body: (UInt64, Posting) -> Void
  ) throws {
    var last: UInt32?
    var count = 0
    while try cursor.skipBlocks(to: last.map { $0 + 1 } ?? 0) {
      try cursor.decode()
      for index in 0..<cursor.blockCount {
        let ordinal = cursor.ordinals[index]
        #expect(last.map { $0 < ordinal } ?? true)
        last = ordinal
        count += 1
        guard isLive(ordinal) else { continue }
        let posting = Posting(
          frequency: cursor.frequencies[index],
          positions: Array(try cursor.positions(at: index))
        )
        body(try run.id(of: ordinal), posting)
      }
      #expect(cursor.blockLast == last)
      #expect(cursor.blockLast <= cursor.segmentLast)
    }
    #expect(count == cursor.count)
  }

  /// Expects each term to be found by itself.
  private func verifyTerms(_ reader: FullTextReader, _ terms: some Sequence<[UInt8]>) throws {
    for term in terms {
      let count = try reader.runs.reduce(0) { count, run in
        let cursor = try term.withUnsafeBytes { try run.postings(of: $0) }
        return count + (cursor.map { $0.count - $0.deadCount } ?? 0)
      }
      #expect(count > 0)
    }
  }
}
