import Foundation

/// Reads notes from a JSON Lines file of any size, with only one batch in memory.
struct Importer {
  private static let batchSize = 10_000
  private static let chunkSize = 1 << 20

  let notebook: Notebook

  /// Imports all notes of a file and returns their number.
  ///
  /// If a line is faulty, the complete batches before it stay; the message has the line's number.
  func run(_ path: String) throws -> Int {
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw Failure("cannot read '\(path)'")
    }
    defer { try? file.close() }
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    var progress = ProgressBar(total: size)
    let decoder = JSONDecoder()
    var rest = Data()
    var batch: [Note] = []
    var lineNumber = 0
    var count = 0

    func add(_ line: Data) throws {
      lineNumber += 1
      guard !line.isEmpty else { return }
      do {
        batch.append(try decoder.decode(NoteRecord.self, from: line).note)
      } catch {
        throw Failure("\(path):\(lineNumber):1: the line is no note: \(error)")
      }
      if batch.count == Self.batchSize { try flush() }
    }
    func flush() throws {
      try notebook.add(batch)
      count += batch.count
      batch.removeAll(keepingCapacity: true)
    }

    var read = 0
    while let chunk = try file.read(upToCount: Self.chunkSize), !chunk.isEmpty {
      read += chunk.count
      rest += chunk
      var start = rest.startIndex
      while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
        try add(Data(rest[start..<end]))
        start = end + 1
      }
      rest = Data(rest[start...])
      progress.show(read)
    }
    try add(rest)
    try flush()
    progress.finish()
    return count
  }
}
