import Foundation
import ObjectBoxTestSupport

/// Damaged versions of a store's file, one for each case number.
struct Damage {
  /// The kinds of damage.
  enum Kind: String, CaseIterable {
    case flippedBit = "flipped bits"
    case cut = "cuts"
    case garbage = "garbage"
    case zeros = "runs of zeros"
    case movedPage = "pages over others"
    case scattered = "scattered bytes"
    case otherFile = "other files"
  }

  private static let page = 4096
  let original: [UInt8]
  let seed: Int
  /// The number of cases; all cases of no other kind flip bits.
  let count: Int
  /// Whole files that are not stores of this version.
  let otherFiles: [[UInt8]]

  private var cuts: Int { min(count / 20, original.count / Self.page + 200) }
  private var others: Int { count / 20 }

  /// Returns the kind of a case, and the case's index within the kind.
  private func kind(_ number: Int) -> (Kind, Int) {
    var rest = number
    for (kind, count) in [
      (Kind.otherFile, otherFiles.count), (.cut, cuts), (.garbage, others), (.zeros, others),
      (.movedPage, others), (.scattered, others),
    ] {
      if rest < count { return (kind, rest) }
      rest -= count
    }
    return (.flippedBit, rest)
  }

  private var flips: Int { max(1, count - cuts - 4 * others - otherFiles.count) }

  /// Returns the damaged file of a case.
  func file(_ number: Int) -> (kind: Kind, bytes: [UInt8]) {
    var random = SplitMix(seed: seed &* 8_675_309 &+ number)
    let (kind, index) = kind(number)
    var bytes = original
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch kind {
    case .flippedBit:
      // Flips a bit of each byte, or of each n-th byte from the seed's offset, and starts again
      // with another bit.
      let step = (bytes.count + flips - 1) / flips
      let position = index * step + seed - 1
      let offset = (position + position / bytes.count) % bytes.count
      bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case .cut:
      let pages = bytes.count / Self.page
      let size = index < pages ? index * Self.page : place
      bytes.removeLast(bytes.count - size)
    case .garbage:
      let count = Int.random(in: 1...Self.page, using: &random)
      for offset in place..<min(place + count, bytes.count) {
        bytes[offset] = UInt8.random(in: 0...255, using: &random)
      }
    case .zeros:
      let count = Int.random(in: 16...3 * Self.page, using: &random)
      for offset in place..<min(place + count, bytes.count) { bytes[offset] = 0 }
    case .movedPage:
      let pages = bytes.count / Self.page
      let from = Int.random(in: 0..<pages, using: &random) * Self.page
      let to = Int.random(in: 0..<pages, using: &random) * Self.page
      bytes.replaceSubrange(to..<to + Self.page, with: original[from..<from + Self.page])
    case .scattered:
      for _ in 0..<Int.random(in: 2...60, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255,
          using: &random
        )
      }
    case .otherFile: bytes = otherFiles[index]
    }
    return (kind, bytes)
  }

  /// Files of other programs, and almost empty files.
  static let otherFiles: [[UInt8]] = [
    [], [0], [UInt8](repeating: 0, count: page), [UInt8](repeating: 0, count: 2 * page),
    [UInt8](repeating: 0, count: 16 * page), [UInt8](repeating: 0xFF, count: 4 * page),
    Array("SQLite format 3\0".utf8) + [UInt8](repeating: 16, count: 3 * page),
    Array("\u{89}PNG\r\n\u{1A}\n".utf8) + [UInt8](repeating: 7, count: 9999),
    Array(String(repeating: "{\"name\": \"a text\"}\n", count: 1000).utf8),
  ]
}
