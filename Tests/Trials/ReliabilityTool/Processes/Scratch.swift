import Foundation

/// A folder of a trial; deinit removes it.
final class Scratch: Sendable {
  /// The variable that names a child's base folder.
  ///
  /// The parent removes it, however the child ends.
  static let variable = "RELIABILITY_SCRATCH"

  let path: String

  /// Makes a folder.
  ///
  /// - Parameter isInMemory: Whether to use a file system in memory, if there is one.
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
