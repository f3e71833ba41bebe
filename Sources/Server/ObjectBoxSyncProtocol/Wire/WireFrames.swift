/// Splits messages into frames, for connections that limit the size of one frame.
///
/// A frame begins with a byte: 1 if more frames of the message follow, 0 if it is the last one.
package enum WireFrames {
  /// Returns the frames of a message.
  ///
  /// - Parameters:
  ///   - message: The bytes of the message.
  ///   - limit: The greatest size of a frame in bytes, at least 2.
  /// - Returns: At least one frame.
  package static func split(_ message: [UInt8], limit: Int) -> [[UInt8]] {
    let size = max(limit - 1, 1)
    guard message.count > size else { return [[0] + message] }
    return stride(from: 0, to: message.count, by: size).map { start in
      let end = min(start + size, message.count)
      return [end < message.count ? 1 : 0] + message[start..<end]
    }
  }
}

/// Collects the frames of messages.
package struct WireCollector: Sendable {
  /// The message so far.
  package private(set) var bytes: [UInt8] = []
  private let limit: Int

  /// Creates a collector.
  ///
  /// - Parameter limit: The greatest size of a message in bytes.
  package init(limit: Int) {
    self.limit = limit
  }

  /// Takes the next frame.
  ///
  /// - Parameter frame: The frame.
  /// - Returns: The message that the frame completes, or nil if more frames follow.
  /// - Throws: ``WireError`` for a message that is too large, or for a malformed frame.
  package mutating func add(_ frame: [UInt8]) throws(WireError) -> [UInt8]? {
    guard let progress = frame.first, progress <= 1 else {
      throw WireError("a frame must begin with 0 or 1", at: bytes.count)
    }
    guard frame.count - 1 <= limit - bytes.count else {
      throw WireError("the message has over \(limit) bytes, which is the limit", at: bytes.count)
    }
    bytes += frame.dropFirst()
    guard progress == 0 else { return nil }
    defer { bytes = [] }
    return bytes
  }
}
