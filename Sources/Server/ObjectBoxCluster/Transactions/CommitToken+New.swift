internal import Foundation

extension CommitToken {
  /// Creates a unique token.
  ///
  /// A UUID of version 7: its first 48 bits are the milliseconds since 1970, so rows of about the same time are
  /// adjacent on the server.
  ///
  /// - Parameter time: The milliseconds by the server's clock, from ``Connection/serverTime``; nil
  ///   to use this machine's clock.
  /// - Returns: The token.
  static func new(at time: Int64? = nil) -> Self {
    var bytes = UUID().uuid
    let time = max(0, time ?? Int64(Date().timeIntervalSince1970 * 1_000))
    withUnsafeMutableBytes(of: &bytes) { bytes in
      for index in 0..<6 { bytes[index] = UInt8(truncatingIfNeeded: time >> (40 - 8 * index)) }
      bytes[6] = bytes[6] & 0x0F | 0x70
    }
    return Self(uuid: UUID(uuid: bytes))
  }

  /// The milliseconds since 1970 when the token was made; 0 for a token not made by ``new(at:)``.
  var milliseconds: Int64 {
    guard uuid.uuid.6 >> 4 == 7 else { return 0 }
    return withUnsafeBytes(of: uuid.uuid) { bytes in
      bytes.prefix(6).reduce(0 as Int64) { $0 << 8 | Int64($1) }
    }
  }
}
