internal import Foundation

/// The lines of a file or of standard input, read in pieces.
///
/// Memory is bounded by the longest line. Owns a file descriptor.
package final class InputLines {
  private static let pieceSize = 1 << 18

  /// The file's name in messages.
  package let name: String
  /// The number of the last returned line, counted from 1.
  package private(set) var number = 0
  /// The number of bytes read.
  private(set) var readCount = 0
  /// The size of the file in bytes; 0 for a pipe.
  let size: Int
  private let descriptor: Int32
  private var piece: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  /// Opens a file.
  ///
  /// - Parameter path: The path; nil for standard input.
  /// - Throws: ``SystemFault`` when the file cannot be read.
  package init(_ path: String?) throws {
    name = path ?? "standard input"
    descriptor = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
    guard descriptor >= 0 else { throw SystemFault("cannot read '\(name)'") }
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    size = isFile ? Int(status.st_size) : 0
  }

  deinit {
    if descriptor != STDIN_FILENO { _ = close(descriptor) }
  }

  /// Returns the next line without its end; nil after the last.
  ///
  /// The first line comes without the byte order mark that some programs write.
  package func next() throws -> [UInt8]? {
    guard var line = try nextBytes() else { return nil }
    if number == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    return line
  }

  private func nextBytes() throws -> [UInt8]? {
    var line: [UInt8] = []
    while true {
      if position < piece.count {
        let end = piece[position...].firstIndex(of: UInt8(ascii: "\n"))
        line += piece[position..<(end ?? piece.count)]
        position = end.map { $0 + 1 } ?? piece.count
        if end != nil {
          number += 1
          return line
        }
      }
      guard try readPiece() else {
        if line.isEmpty { return nil }
        number += 1
        return line
      }
    }
  }

  /// Reads the next piece; returns false at the end of the file.
  private func readPiece() throws -> Bool {
    if isAtEnd { return false }
    var count = -1
    piece = try [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, initializedCount in
      while true {
        try Interruption.wait(for: descriptor)
        count = read(descriptor, buffer.baseAddress, buffer.count)
        if count >= 0 { break }
        guard errno == EINTR else { throw SystemFault("cannot read '\(name)'") }
      }
      initializedCount = count
    }
    position = 0
    readCount += count
    isAtEnd = count == 0
    return count > 0
  }
}
