import CObjectBoxInstructionCount
import Foundation

/// Numbers of processor instructions, counted by callgrind.
enum InstructionCount {
  /// The variable that names callgrind's output file; each count has a further number.
  static let variable = "GROWTH_COUNTS"

  static var isPossible: Bool {
    objectbox_test_counts_instructions() != 0
      && ProcessInfo.processInfo.environment[variable] != nil
  }

  /// Keeps callgrind's files, for its annotations.
  nonisolated(unsafe) static var keepsFiles = false
  nonisolated(unsafe) private static var counts = 0

  /// Returns the number of instructions that all threads execute during an operation.
  static func of(_ operation: () throws -> Void) throws -> Int {
    objectbox_test_begin_count()
    let result = Result(catching: operation)
    objectbox_test_end_count()
    try result.get()
    counts += 1
    let base = ProcessInfo.processInfo.environment[variable] ?? ""
    let path = "\(base).\(counts)"
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    if !keepsFiles { try FileManager.default.removeItem(atPath: path) }
    for line in text.split(separator: "\n")
    where line.hasPrefix("totals:") || line.hasPrefix("summary:") {
      if let count = line.split(separator: " ").last.flatMap({ Int($0) }) { return count }
    }
    throw GrowthError("callgrind's file '\(path)' has no total")
  }
}
