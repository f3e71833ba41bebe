import Foundation

/// A folder of a trial, which is removed with its owner.
///
/// A class, since its end removes the folder.
final class Scratch: Sendable {
  /// The variable with a folder for those of a process, whose parent removes it, however the process ends.
  static let variable = "RELIABILITY_SCRATCH"

  let path: String

  /// Makes a folder.
  ///
  /// - Parameter isInMemory: True for a file system in memory, where there is one.
  /// - Throws: The system's error.
  init(isInMemory: Bool = false) throws {
    let memory = "/dev/shm"
    let isMemoryThere = isInMemory && FileManager.default.isWritableFile(atPath: memory)
    let base =
      ProcessInfo.processInfo.environment[Self.variable]
      ?? (isMemoryThere ? memory : FileManager.default.temporaryDirectory.path)
    path = "\(base)/objectbox-reliability-\(getpid())-\(UInt32.random(in: 0 ..< .max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Returns the path of a file in the folder.
  subscript(_ name: String) -> String { path + "/" + name }
}
