import Foundation

/// The files of an encrypted store, by what they hold.
struct SealedFiles: Equatable, Sendable {
  static let block = 4096
  private static let pagesPrefix = "sealed.pages-"
  private static let headName = "sealed.head"
  private static let recordMagic = Array("OBXCOMM1".utf8)
  private static let markMagic = Array("OBXDONE1".utf8)

  /// Nil for a missing file.
  var head: [UInt8]?
  var pages: [UInt8]?
  var pagesName: String

  /// Reads the files of a folder.
  init(_ folder: String) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    guard let name = names.first(where: { $0.hasPrefix(Self.pagesPrefix) }) else {
      throw TrialError("there is no encrypted store at '\(folder)'")
    }
    func read(_ name: String) throws -> [UInt8] {
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
    }
    pagesName = name
    head = try read(Self.headName)
    pages = try read(name)
  }

  /// Makes a folder with only these files.
  func write(to folder: String) throws {
    let manager = FileManager.default
    try? manager.removeItem(atPath: folder)
    try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, bytes) in [(Self.headName, head), (pagesName, pages)] {
      guard let bytes else { continue }
      try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
  }

  /// The blocks of the log in the pages file, which follow the block that names the store.
  static let log = 1..<1 + TrialStore.logBlocks

  /// Returns the blocks of a range that have values.
  static func usedBlocks(of bytes: [UInt8], _ range: Range<Int>) -> [Int] {
    let zeros = [UInt8](repeating: 0, count: Self.block)
    return bytes.withUnsafeBytes { bytes in
      range.filter { block in
        memcmp(bytes.baseAddress.unsafelyUnwrapped + block * Self.block, zeros, Self.block) != 0
      }
    }
  }

  /// A proof, in a block of the log, that a version was on the disk or had begun.
  struct Trace: Sendable {
    let block: Int
    let version: UInt64
    /// True for a mark, which follows a whole commit; false for the begin of its record.
    let isMark: Bool
    /// The bytes that are the proof.
    let bytes: ArraySlice<UInt8>
  }

  /// The traces of the log, those of former logs included.
  var traces: [Trace] {
    guard let pages else { return [] }
    return Self.log.compactMap { block in
      let start = block * Self.block
      let isMark = pages[start...].starts(with: Self.markMagic)
      guard isMark || pages[start...].starts(with: Self.recordMagic) else { return nil }
      let version = (0..<8).reduce(UInt64(0)) { $0 | UInt64(pages[start + 8 + $1]) << (8 * $1) }
      let bytes = pages[start..<start + (isMark ? 80 : 48)]
      return Trace(block: block, version: version, isMark: isMark, bytes: bytes)
    }
  }

  /// Takes the mark of a version away.
  ///
  /// - Returns: False if there is none, as after a new head.
  mutating func removeMark(of version: UInt64) -> Bool {
    guard let mark = traces.first(where: { $0.isMark && $0.version == version }) else {
      return false
    }
    let start = mark.block * Self.block
    pages?.replaceSubrange(start..<start + Self.block, with: repeatElement(0, count: Self.block))
    return true
  }

  /// Returns whether the pages file has a trace in its place.
  func has(_ trace: Trace) -> Bool {
    guard let pages, trace.bytes.endIndex <= pages.count else { return false }
    return pages[trace.bytes.indices] == trace.bytes
  }
}
