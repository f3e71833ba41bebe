import Foundation

/// A folder of a trial, which is removed with its owner.
///
/// A class, since its end removes the folder.
final class Scratch: Sendable {
  let path: String

  /// Makes a folder.
  ///
  /// - Parameter isInMemory: True for a file system in memory, where there is one.
  /// - Throws: The system's error.
  init(isInMemory: Bool = false) throws {
    let memory = "/dev/shm"
    let base =
      isInMemory && FileManager.default.isWritableFile(atPath: memory)
      ? memory : FileManager.default.temporaryDirectory.path
    path = "\(base)/objectbox-reliability-\(getpid())-\(UInt32.random(in: 0 ..< .max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Returns the path of a file in the folder.
  subscript(_ name: String) -> String { path + "/" + name }
}
