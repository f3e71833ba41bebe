internal import Foundation
internal import ObjectBoxStorage

/// Compares texts and byte vectors by their bytes; UTF-8 bytes have the order of code points.
///
/// Folding ignores case, by ``CaseFolding``; the operand is already folded.
enum ByteComparison {
  static func areEqual(
    _ a: UnsafeRawBufferPointer,
    _ b: UnsafeRawBufferPointer,
    foldsCase: Bool
  ) -> Bool {
    if foldsCase { return compareFolded(a, b) == 0 }
    return a.count == b.count && difference(a, b, count: a.count) == 0
  }

  static func hasPrefix(
    _ a: UnsafeRawBufferPointer,
    _ prefix: UnsafeRawBufferPointer,
    foldsCase: Bool
  ) -> Bool {
    if foldsCase { return hasFoldedPrefix(a, prefix) }
    return a.count >= prefix.count && difference(a, prefix, count: prefix.count) == 0
  }

  static func hasSuffix(
    _ a: UnsafeRawBufferPointer,
    _ suffix: UnsafeRawBufferPointer,
    foldsCase: Bool
  ) -> Bool {
    if foldsCase { return hasFoldedSuffix(a, suffix) }
    guard a.count >= suffix.count else { return false }
    let end = UnsafeRawBufferPointer(rebasing: a[(a.count - suffix.count)...])
    return difference(end, suffix, count: suffix.count) == 0
  }

  /// Returns the order of the first bytes, as `memcmp` does.
  private static func difference(
    _ a: UnsafeRawBufferPointer,
    _ b: UnsafeRawBufferPointer,
    count: Int
  ) -> Int {
    guard count > 0, let left = a.baseAddress, let right = b.baseAddress else { return 0 }
    return Int(memcmp(left, right, count))
  }

  /// Returns a negative number when `a` precedes `b`, 0 when they are equal, else a positive one.
  static func compare(
    _ a: UnsafeRawBufferPointer,
    _ b: UnsafeRawBufferPointer,
    foldsCase: Bool
  ) -> Int {
    if foldsCase { return compareFolded(a, b) }
    let difference = difference(a, b, count: min(a.count, b.count))
    return difference == 0 ? a.count - b.count : difference
  }

  static func contains(
    _ a: UnsafeRawBufferPointer,
    _ part: UnsafeRawBufferPointer,
    foldsCase: Bool
  ) -> Bool {
    guard part.count > 0, let needle = part.baseAddress else { return true }
    if foldsCase { return containsFolded(a, part) }
    guard a.count >= part.count, let hay = a.baseAddress else { return false }
    return ByteSearch.contains(hay, a.count, needle, part.count)
  }

  // MARK: Without regard to case

  private static func compareFolded(
    _ a: UnsafeRawBufferPointer,
    _ b: UnsafeRawBufferPointer
  ) -> Int {
    var left = FoldedText(a)
    var right = FoldedText(b)
    while true {
      switch (left.next(), right.next()) {
      case (nil, nil): return 0
      case (nil, _): return -1
      case (_, nil): return 1
      case (let x?, let y?): if x != y { return x < y ? -1 : 1 }
      }
    }
  }

  private static func hasFoldedPrefix(
    _ a: UnsafeRawBufferPointer,
    _ prefix: UnsafeRawBufferPointer
  ) -> Bool {
    var rest = FoldedText(a)
    var wanted = FoldedText(prefix)
    while let scalar = wanted.next() {
      guard rest.next() == scalar else { return false }
    }
    return true
  }

  private static func hasFoldedSuffix(
    _ a: UnsafeRawBufferPointer,
    _ suffix: UnsafeRawBufferPointer
  ) -> Bool {
    // Code points that fold to each other may differ in length, so count code points from the end.
    var count = 0
    for byte in suffix where byte & 0xC0 != 0x80 { count += 1 }
    var start = a.count
    while count > 0 {
      guard start > 0 else { return false }
      start -= 1
      if a[start] & 0xC0 != 0x80 { count -= 1 }
    }
    return compareFolded(UnsafeRawBufferPointer(rebasing: a[start...]), suffix) == 0
  }

  private static func containsFolded(
    _ a: UnsafeRawBufferPointer,
    _ part: UnsafeRawBufferPointer
  ) -> Bool {
    // A code point has at most 4 bytes.
    guard part.count / 4 <= a.count else { return false }
    var rest = FoldedText(a)
    // Number of code points compared in vain: usually as many as the text has.
    var compared = 0
    while !rest.isAtEnd {
      var candidate = rest
      var wanted = FoldedText(part)
      while true {
        guard let scalar = wanted.next() else { return true }
        compared += 1
        if candidate.next() != scalar { break }
      }
      if compared > 16 * (a.count + 16) { return RepeatedText(part).isIn(&rest) }
      rest.skip()
    }
    return false
  }
}

/// A text for searches in texts that repeat its beginning, by the algorithm of Knuth, Morris and Pratt.
///
/// Takes linear time, and memory for each code point of the searched text.
private struct RepeatedText {
  private var scalars: [UInt32] = []
  /// For each position, the length of the longest proper prefix of the text that also ends before this position
  /// (its border).
  private var borders: [Int] = [0, 0]

  init(_ part: UnsafeRawBufferPointer) {
    var walk = FoldedText(part)
    while let scalar = walk.next() { scalars.append(scalar) }
    var border = 0
    for scalar in scalars.dropFirst() {
      while border > 0, scalars[border] != scalar { border = borders[border] }
      if scalars[border] == scalar { border += 1 }
      borders.append(border)
    }
  }

  /// Returns whether the rest of a text contains the text.
  func isIn(_ rest: inout FoldedText) -> Bool {
    var matched = 0
    while matched < scalars.count, let scalar = rest.next() {
      while matched > 0, scalars[matched] != scalar { matched = borders[matched] }
      if scalars[matched] == scalar { matched += 1 }
    }
    return matched == scalars.count
  }
}
