import Foundation

/// A file to which lines are added, in one system call each time: a killed process leaves whole additions.
struct LineFile {
  private let descriptor: Int32
  private let path: String

  /// Opens a file at its end, and makes it if need be.
  init(_ path: String) throws {
    self.path = path
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
    guard descriptor >= 0 else { throw Failure("'\(path)' cannot be opened: errno \(errno)") }
  }

  /// Adds lines.
  ///
  /// - Parameters:
  ///   - lines: The lines, without their ends.
  ///   - isSynced: True to wait until the disk has them.
  /// - Throws: ``Failure`` when the file cannot be written.
  func add(_ lines: [String], isSynced: Bool) throws {
    let bytes = Data((lines.joined(separator: "\n") + "\n").utf8)
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard count == bytes.count, !isSynced || fsync(descriptor) == 0 else {
      throw Failure("'\(path)' cannot be written: errno \(errno)")
    }
  }

  /// Returns the words of each line; none for a file that does not exist.
  static func words(of path: String) throws -> [[String]] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
      line.split(separator: " ").map(String.init)
    }
  }
}

/// An error for whoever runs the trial.
struct Failure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
