internal import Foundation
internal import ObjectBoxStorage

/// Comparisons of texts and byte vectors, on their bytes: UTF-8 sorts as its code points do.
///
/// With folding, upper and lower case of ASCII letters are the same; all other bytes compare as they
/// are, so that text in other scripts still matches itself.
enum ByteComparison {
  @inline(__always)
  static func fold(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  static func areEqual(
    _ a: UnsafeRawBufferPointer,
    _ b: UnsafeRawBufferPointer,
    foldsCase: Bool
  ) -> Bool {
    a.count == b.count && start(of: a, equals: b, count: a.count, foldsCase: foldsCase)
  }

  static func hasPrefix(
    _ a: UnsafeRawBufferPointer,
    _ prefix: UnsafeRawBufferPointer,
    foldsCase: Bool
  ) -> Bool {
    a.count >= prefix.count
      && start(of: a, equals: prefix, count: prefix.count, foldsCase: foldsCase)
  }

  static func hasSuffix(
    _ a: UnsafeRawBufferPointer,
    _ suffix: UnsafeRawBufferPointer,
    foldsCase: Bool
  ) -> Bool {
    guard a.count >= suffix.count else { return false }
    let end = UnsafeRawBufferPointer(rebasing: a[(a.count - suffix.count)...])
    return start(of: end, equals: suffix, count: suffix.count, foldsCase: foldsCase)
  }

  private static func start(
    of a: UnsafeRawBufferPointer,
    equals b: UnsafeRawBufferPointer,
    count: Int,
    foldsCase: Bool
  ) -> Bool {
    guard count > 0, let left = a.baseAddress, let right = b.baseAddress else { return true }
    if !foldsCase { return memcmp(left, right, count) == 0 }
    for index in 0..<count where fold(a[index]) != fold(b[index]) { return false }
    return true
  }

  /// Returns a negative number, 0 or a positive one, as `a` comes before `b`, is the same, or after it.
  static func compare(
    _ a: UnsafeRawBufferPointer,
    _ b: UnsafeRawBufferPointer,
    foldsCase: Bool
  ) -> Int {
    let count = min(a.count, b.count)
    if count > 0, let left = a.baseAddress, let right = b.baseAddress {
      if foldsCase {
        for index in 0..<count {
          let difference = Int(fold(a[index])) - Int(fold(b[index]))
          if difference != 0 { return difference }
        }
      } else {
        let difference = memcmp(left, right, count)
        if difference != 0 { return Int(difference) }
      }
    }
    return a.count - b.count
  }

  static func contains(
    _ a: UnsafeRawBufferPointer,
    _ part: UnsafeRawBufferPointer,
    foldsCase: Bool
  ) -> Bool {
    guard part.count > 0, let needle = part.baseAddress else { return true }
    guard a.count >= part.count, let hay = a.baseAddress else { return false }
    if !foldsCase { return ByteSearch.contains(hay, a.count, needle, part.count) }
    for offset in 0...(a.count - part.count) {
      let rest = UnsafeRawBufferPointer(start: hay + offset, count: part.count)
      if start(of: rest, equals: part, count: part.count, foldsCase: true) { return true }
    }
    return false
  }
}
