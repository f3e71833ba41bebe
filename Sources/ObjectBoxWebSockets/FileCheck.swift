internal import Foundation

/// Checks files before the library, which only logs what is wrong.
enum FileCheck {
  /// - Throws: ``WebSocketError`` when a file cannot be read.
  static func readable(_ path: String) throws(WebSocketError) {
    guard let file = fopen(path, "r") else {
      throw .unusableFile(path: path, reason: String(cString: strerror(errno)))
    }
    fclose(file)
  }
}
