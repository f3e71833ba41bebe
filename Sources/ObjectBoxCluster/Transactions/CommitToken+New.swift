internal import Foundation

extension CommitToken {
  /// Makes a token that no other commit has: a UUID of version 7, whose first 48 bits are the milliseconds since
  /// 1970, so that rows of about the same time are side by side on the server.
  static func new() -> Self {
    var bytes = UUID().uuid
    let time = UInt64(max(0, Date().timeIntervalSince1970 * 1_000))
    withUnsafeMutableBytes(of: &bytes) { bytes in
      for index in 0..<6 { bytes[index] = UInt8(truncatingIfNeeded: time >> (40 - 8 * index)) }
      bytes[6] = bytes[6] & 0x0F | 0x70
    }
    return Self(uuid: UUID(uuid: bytes))
  }

  /// The time at which the token was made; long ago for one that is none of ``new()``.
  var date: Date {
    guard uuid.uuid.6 >> 4 == 7 else { return .distantPast }
    let time = withUnsafeBytes(of: uuid.uuid) { bytes in
      bytes.prefix(6).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    }
    return Date(timeIntervalSince1970: Double(time) / 1_000)
  }
}
