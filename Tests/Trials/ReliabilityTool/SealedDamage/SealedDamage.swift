import Foundation
import ObjectBoxTestSupport

/// Damaged versions of an encrypted store's files, one for each case number.
struct SealedDamage {
  enum Kind: String, CaseIterable {
    case headBit = "flipped bits of the head"
    case logBit = "flipped bits of the log"
    case pageBit = "flipped bits of pages"
    case cut = "cuts"
    case zeros = "runs of zeros"
    case garbage = "garbage"
    case scattered = "scattered bytes"
    case exchanged = "exchanged blocks"
    case moved = "blocks over others"
    case olderBlocks = "older blocks put back"
    case olderFile = "an older file put back"
    case olderFolder = "an older folder put back"
    case otherStore = "parts of another store"
    case otherFile = "other and missing files"
  }

  let history: SealedHistory
  let seed: Int
  let count: Int

  /// Returns the damaged files of a case.
  func files(_ number: Int) -> (kind: Kind, files: SealedFiles) {
    var random = SplitMix(seed: seed &* 8_675_309 &+ number)
    var files = history.newest.files
    // Each second case flips a bit.
    let kinds = Kind.allCases
    let index = number / 2
    let kind = kinds[number.isMultiple(of: 2) ? index % 3 : 3 + index % (kinds.count - 3)]
    switch kind {
    case .headBit:
      let bits = (files.head ?? []).count * 8
      let bit = [UInt8].bit(index / 3, seed, of: count / 6, among: bits)
      files.head?[bit / 8] ^= 1 << UInt8(bit % 8)
    case .logBit: flipBit(of: &files, index / 3, in: SealedFiles.log)
    case .pageBit: flipBit(of: &files, index / 3, in: pageBlocks)
    case .cut: change(&files, &random) { $0.removeLast($0.count - cutSize($0, &$1)) }
    case .zeros:
      change(&files, &random) { bytes, random in
        bytes.fill(&random, atMost: 3 * SealedFiles.block) { _ in 0 }
      }
    case .garbage:
      change(&files, &random) { bytes, random in
        bytes.fill(&random, atMost: SealedFiles.block) { .random(in: 0...255, using: &$0) }
      }
    case .scattered:
      change(&files, &random) { bytes, random in
        for _ in 0..<Int.random(in: 2...60, using: &random) {
          bytes[Int.random(in: bytes.indices, using: &random)] = .random(
            in: 0...255,
            using: &random
          )
        }
      }
    case .exchanged, .moved: moveBlocks(of: &files, isExchange: kind == .exchanged, &random)
    case .olderBlocks: putBackBlocks(of: &files, &random)
    case .olderFile:
      let older = random.pick(history.moments).files
      if Bool.random(using: &random) { files.head = older.head } else { files.pages = older.pages }
    case .olderFolder: files = random.pick(history.moments).files
    case .otherStore: takeParts(of: history.other, into: &files, &random)
    case .otherFile:
      let bytes: [UInt8]? = random.pick(Damage.otherFiles + [nil])
      if Bool.random(using: &random) { files.head = bytes } else { files.pages = bytes }
    }
    return (kind, files)
  }

  private var pageBlocks: Range<Int> {
    SealedFiles.log.upperBound..<(history.newest.files.pages ?? []).count / SealedFiles.block
  }

  private func flipBit(of files: inout SealedFiles, _ index: Int, in range: Range<Int>) {
    guard let pages = files.pages else { return }
    let used = SealedFiles.usedBlocks(of: pages, range)
    // The used blocks one after the other, as if the file had no others.
    let bits = used.count * SealedFiles.block * 8
    let bit = [UInt8].bit(index, seed, of: count / 6, among: bits)
    let byte = used[bit / 8 / SealedFiles.block] * SealedFiles.block + bit / 8 % SealedFiles.block
    files.pages?[byte] ^= 1 << UInt8(bit % 8)
  }

  /// Changes the bytes of one of the files.
  private func change(
    _ files: inout SealedFiles,
    _ random: inout SplitMix,
    _ body: (inout [UInt8], inout SplitMix) -> Void
  ) {
    var bytes = files.head ?? []
    let isHead = Int.random(in: 0..<3, using: &random) == 0
    if !isHead { bytes = files.pages ?? [] }
    body(&bytes, &random)
    if isHead { files.head = bytes } else { files.pages = bytes }
  }

  private func cutSize(_ bytes: [UInt8], _ random: inout SplitMix) -> Int {
    Bool.random(using: &random)
      ? Int.random(in: 0..<bytes.count / SealedFiles.block, using: &random) * SealedFiles.block
      : Int.random(in: bytes.indices, using: &random)
  }

  /// Exchanges two blocks of a part of a file, or puts one over the other.
  private func moveBlocks(of files: inout SealedFiles, isExchange: Bool, _ random: inout SplitMix) {
    let part = Int.random(in: 0..<3, using: &random)
    var bytes = (part == 0 ? files.head : files.pages) ?? []
    let blocks = [0..<bytes.count / SealedFiles.block, SealedFiles.log, pageBlocks][part]
    let used = SealedFiles.usedBlocks(of: bytes, blocks)
    let (a, b) = (random.pick(used), random.pick(used))
    let (first, second) = (bytes.block(a), bytes.block(b))
    bytes.setBlock(b, first)
    if isExchange { bytes.setBlock(a, second) }
    if part == 0 { files.head = bytes } else { files.pages = bytes }
  }

  /// Puts some blocks of one part back to their bytes at an earlier moment.
  private func putBackBlocks(of files: inout SealedFiles, _ random: inout SplitMix) {
    let older = random.pick(history.moments).files
    let part = Int.random(in: 0..<3, using: &random)
    var bytes = (part == 0 ? files.head : files.pages) ?? []
    let source = (part == 0 ? older.head : older.pages) ?? []
    let all = [0..<bytes.count / SealedFiles.block, SealedFiles.log, pageBlocks][part]
    let changed = all.filter {
      ($0 + 1) * SealedFiles.block <= source.count && source.block($0) != bytes.block($0)
    }
    guard !changed.isEmpty else { return }
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let block = random.pick(changed)
      bytes.setBlock(block, source.block(block))
    }
    if part == 0 { files.head = bytes } else { files.pages = bytes }
  }

  private func takeParts(
    of other: SealedFiles,
    into files: inout SealedFiles,
    _ random: inout SplitMix
  ) {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: files.head = other.head
    case 1: files.pages = other.pages
    case 2:
      files.head = other.head
      files.pagesName = other.pagesName
    default:
      guard var pages = files.pages, let source = other.pages else { return }
      let used = SealedFiles.usedBlocks(
        of: source,
        1..<min(pages.count, source.count) / SealedFiles.block
      )
      let block = random.pick(used)
      pages.setBlock(block, source.block(block))
      files.pages = pages
    }
  }
}

extension [UInt8] {
  /// Returns the bit of a case: each n-th bit from the seed's offset, and then others.
  fileprivate static func bit(_ index: Int, _ seed: Int, of count: Int, among bits: Int) -> Int {
    let step = Swift.max(1, (bits + count - 1) / Swift.max(1, count))
    let position = index * step + seed - 1
    return (position + position / bits) % bits
  }

  fileprivate mutating func fill(
    _ random: inout SplitMix,
    atMost most: Int,
    _ byte: (inout SplitMix) -> UInt8
  ) {
    let place = Int.random(in: indices, using: &random)
    let count = Int.random(in: 1...most, using: &random)
    for offset in place..<Swift.min(place + count, self.count) { self[offset] = byte(&random) }
  }

  fileprivate func block(_ number: Int) -> ArraySlice<UInt8> {
    self[(number * SealedFiles.block)..<((number + 1) * SealedFiles.block)]
  }

  fileprivate mutating func setBlock(_ number: Int, _ bytes: ArraySlice<UInt8>) {
    let start = number * SealedFiles.block
    replaceSubrange(start..<start + SealedFiles.block, with: bytes)
  }
}
