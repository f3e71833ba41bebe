import Foundation
import ObjectBoxFullText
import ObjectBoxTestSupport
import Testing

/// SQLite's FTS5 as Python has it, to compare results with.
enum FTS5 {
  static let reason: Comment = "needs python3 with SQLite's FTS5, to compare results with"

  static let isThere: Bool = {
    let probe =
      "import sqlite3; sqlite3.connect(':memory:').execute('create virtual table t using fts5(c)')"
    return (try? run(["-c", probe])) == 0
  }()

  private static func run(_ arguments: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  struct Answer: Decodable {
    /// IDs, ascending, and the bits of scores.
    var ids: [UInt64]
    var scores: [UInt64]
  }

  private struct Work: Encodable {
    var weights: [Int]
    var ids: [UInt64]
    var texts: [[String]]
    var queries: [String]
  }

  private static let program = """
    import json, sqlite3, struct, sys
    work = json.load(open(sys.argv[1]))
    columns = ['c%d' % i for i in range(len(work['weights']))]
    db = sqlite3.connect(':memory:')
    db.execute("create virtual table t using fts5(%s, tokenize='unicode61 remove_diacritics 0')"
      % ', '.join(columns))
    marks = ', '.join('?' * (len(columns) + 1))
    for id, text in zip(work['ids'], work['texts']):
      db.execute('insert into t(rowid, %s) values(%s)' % (', '.join(columns), marks), [id] + text)
    query = 'select rowid, -bm25(t, %s) from t where t match ? order by rowid' % (
      ', '.join('%d.0' % weight for weight in work['weights']))
    answers = []
    for text in work['queries']:
      rows = db.execute(query, [text]).fetchall()
      answers.append({'ids': [row[0] for row in rows],
        'scores': [struct.unpack('<Q', struct.pack('<d', row[1]))[0] for row in rows]})
    json.dump(answers, open(sys.argv[2], 'w'))
    """

  /// Returns the answers of FTS5 to queries on objects with a text for each column.
  static func answers(
    _ queries: [String],
    _ objects: [UInt64: [String]],
    weights: [UInt8]
  ) throws -> [Answer] {
    let folder = try TemporaryDirectory()
    let (input, output) = (folder.path + "/work.json", folder.path + "/answers.json")
    let sorted = objects.sorted { $0.key < $1.key }
    let work = Work(
      weights: weights.map { Int($0) },
      ids: sorted.map(\.key),
      texts: sorted.map(\.value),
      queries: queries
    )
    try JSONEncoder().encode(work).write(to: URL(fileURLWithPath: input))
    try #require(try run(["-c", program, input, output]) == 0)
    let answers = try Data(contentsOf: URL(fileURLWithPath: output))
    return try JSONDecoder().decode([Answer].self, from: answers)
  }

  /// Returns a query in the language of FTS5.
  static func query(_ expression: TextExpression) -> String {
    switch expression {
    case .term(let word): "\"\(word)\""
    case .prefix(let word): "\"\(word)\"*"
    case .phrase(let words):
      "\"" + words.map(\.text).joined(separator: " ") + "\""
        + (words.last?.isPrefix == true ? "*" : "")
    case .near(let operands, let distance):
      "NEAR(" + operands.map { query($0) }.joined(separator: " ") + ", \(distance))"
    case .all(let operands): "(" + operands.map { query($0) }.joined(separator: " AND ") + ")"
    case .any(let operands): "(" + operands.map { query($0) }.joined(separator: " OR ") + ")"
    case .excluding(let first, let second): "(\(query(first)) NOT \(query(second)))"
    case .column(let operand, let column): "(c\(column) : (\(query(operand))))"
    }
  }

  /// Whether FTS5 computes the scores of a query by its own rules.
  ///
  /// FTS5 3.40 counts or forgets places of some leaves in trees: those of a NEAR that does not match
  /// beside another branch, those of an AND whose phrase does not match while another leaf is ahead,
  /// and those of the second operand of a NOT whose first has no match at all.
  static func scoresExactly(_ query: TextExpression) -> Bool {
    switch query {
    case .term, .prefix, .phrase, .near: true
    case .column(let operand, _): isLeaf(operand)
    case .all(let operands): isSimple(query) || operands.allSatisfy { isLeaf($0) }
    case .any(let operands): isSimple(query) || operands.allSatisfy { isLeaf($0) }
    case .excluding(let first, let second): isLeaf(first) && isSimple(second)
    }
  }

  private static func isLeaf(_ query: TextExpression) -> Bool {
    switch query {
    case .term, .prefix, .phrase: true
    case .column(let operand, _): isLeaf(operand)
    default: false
    }
  }

  private static func isSimple(_ query: TextExpression) -> Bool {
    switch query {
    case .term, .prefix: true
    case .all(let operands), .any(let operands): operands.allSatisfy { isSimple($0) }
    default: false
    }
  }
}
