import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxSearch

/// The commands of the benchmark, on a store with a full-text index and on a store without one.
///
/// `words` and `records` name the stores. Times are nanoseconds: of the processor, then of the clock.
///
/// | command | answer |
/// |---|---|
/// | `build` store file | times of putting all lines of the file in one transaction |
/// | `put` store label text | times |
/// | `update` store ID text | times |
/// | `remove` store ID | times |
/// | `search` limit text | time of the processor, then IDs with scores |
/// | `filter` limit text | the same of the objects with the label 0 |
/// | `size` | bytes of the index; compacts both stores |
final class Commands {
  private let words: Store
  private let records: Store
  private let articles: Box<Article>
  private let plain: Box<Record>
  private let search: Query<Article>
  private let filtered: Query<Article>

  init(folder: String) throws {
    words = try Store(directoryPath: folder + "/words", maxDbSizeInKByte: 8 << 20)
    records = try Store(directoryPath: folder + "/records", maxDbSizeInKByte: 8 << 20)
    articles = words.box(for: Article.self)
    plain = records.box(for: Record.self)
    search = try articles.query { "words" .= Article.text.matches("word") }.build()
    filtered = try articles.query { "words" .= Article.text.matches("word") && Article.label == 0 }
      .build()
  }

  func answer(_ command: [String]) throws -> String {
    switch (command[0], command.count) {
    case ("search", 3): return try find(search, command)
    case ("filter", 3): return try find(filtered, command)
    case ("size", 1): return String(try size(words) - size(records))
    case (_, 2...) where command[1] == "words": return try write(articles, command)
    case (_, 2...) where command[1] == "records": return try write(plain, command)
    default: throw UnknownCommand(words: command)
    }
  }

  private func find(_ query: Query<Article>, _ command: [String]) throws -> String {
    guard let limit = Int(command[1]) else { throw UnknownCommand(words: command) }
    var found: [IdWithScore] = []
    let start = Self.processorTime()
    query.setParameter("words", to: command[2])
    found = try query.findIdsWithScores(limit: limit)
    let time = Self.processorTime() - start
    // The description of a number has all of its bits.
    return "\(time)\t" + found.map { "\($0.id):\($0.score)" }.joined(separator: " ")
  }

  private func write<T: Measured>(_ box: Box<T>, _ command: [String]) throws -> String
  where T == T.EntityBindingType.EntityType {
    switch (command[0], command.count) {
    case ("build", 3):
      var objects: [T] = []
      for line in try Self.lines(command[2]) { objects.append(Self.object(line)) }
      return try timed { try box.put(objects) }
    case ("put", 4):
      let object = T(text: command[3], label: Int32(command[2]) ?? 0)
      return try timed { try box.put(object) }
    case ("update", 4):
      guard let object = try box.get(Id(command[2]) ?? 0) else { break }
      object.text = command[3]
      return try timed { try box.put(object) }
    case ("remove", 3):
      let id = Id(command[2]) ?? 0
      return try timed { try box.remove(id) }
    default: break
    }
    throw UnknownCommand(words: command)
  }

  /// Returns the size of a store without free pages.
  private func size(_ store: Store) throws -> Int { Int(try store.compact()?.bytesAfter ?? 0) }

  private func timed<T>(_ body: () throws -> T) rethrows -> String {
    let (processor, clock) = (Self.processorTime(), ContinuousClock.now)
    _ = try body()
    let parts = (ContinuousClock.now - clock).components
    let nanoseconds = parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000
    return "\(Self.processorTime() - processor)\t\(nanoseconds)"
  }

  private static func processorTime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  private static func lines(_ path: String) throws -> [Substring.UTF8View] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return text.utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0).utf8 }
  }

  /// Makes the object of a line: a label, a tab and a text.
  private static func object<T: Measured>(_ line: Substring.UTF8View) -> T {
    let tab = line.firstIndex(of: UInt8(ascii: "\t")) ?? line.startIndex
    let text = String(Substring(line[tab...].dropFirst()))
    return T(text: text, label: Int32(String(Substring(line[..<tab]))) ?? 0)
  }
}

/// The error of a command that does not exist, or that lacks a part.
struct UnknownCommand: Error, CustomStringConvertible {
  let words: [String]
  var description: String { "there is no command '\(words.joined(separator: " "))'" }
}
