internal import Foundation

/// The two head pages (LMDB: meta pages), which hold the roots of the newest two versions.
///
/// Commits write them alternately, so that one stays whole when the other is torn. LMDB refuses a file with a
/// damaged head page; `repair` overwrites it with the other one. The layout is that of LMDB 0.9 on machines
/// with 64-bit addresses; elsewhere nothing is repaired.
package struct HeadPages {
  private static let magic: UInt32 = 0xBEEF_C0DE
  private static let dataVersion: UInt32 = 1
  private static let headFlag: UInt16 = 0x08
  // Offsets in a page, in bytes.
  private static let flagsOffset = 10
  private static let magicOffset = 16
  private static let versionOffset = 20
  private static let pageSizeOffset = 40
  private static let lastPageOffset = 136
  private static let contentSize = 152
  private static let pageSizes = [4096, 8192, 16384, 32768, 65536]

  private let handle: FileHandle
  private let fileSize: UInt64

  /// Returns whether `repair` would change the file; false when it cannot be read.
  package static func isRepairable(path: String) -> Bool {
    guard MemoryLayout<Int>.size == 8, let handle = FileHandle(forReadingAtPath: path) else {
      return false
    }
    defer { try? handle.close() }
    guard let size = try? handle.seekToEnd() else { return false }
    return (try? HeadPages(handle: handle, fileSize: size).damage()) != nil
  }

  /// Overwrites a damaged head page with the other one, so that the file opens at the version before.
  ///
  /// The caller makes sure that nobody else has the file open.
  ///
  /// - Parameter path: LMDB's data file.
  /// - Returns: False when both head pages are valid or neither is; the file then is as it was.
  /// - Throws: The system's error when the file cannot be read or written.
  package static func repair(path: String) throws -> Bool {
    guard MemoryLayout<Int>.size == 8, let handle = FileHandle(forUpdatingAtPath: path) else {
      return false
    }
    defer { try? handle.close() }
    let pages = HeadPages(handle: handle, fileSize: try handle.seekToEnd())
    guard let damage = try pages.damage() else { return false }
    try pages.write(damage.other, as: damage.number, at: damage.offset)
    return true
  }

  /// Finds the damaged head page and a valid other one; nil otherwise.
  private func damage() throws -> (number: UInt64, offset: UInt64, other: [UInt8])? {
    if let first = try page(0, at: 0, ofSize: nil) {
      let size = UInt64(first.count)
      return try page(1, at: size, ofSize: size) == nil ? (1, size, first) : nil
    }
    for size in Self.pageSizes.map(UInt64.init) {
      if let second = try page(1, at: size, ofSize: size) { return (0, 0, second) }
    }
    return nil
  }

  /// Returns a head page; nil when there is none at the offset.
  private func page(_ number: UInt64, at offset: UInt64, ofSize size: UInt64?) throws -> [UInt8]? {
    try handle.seek(toOffset: offset)
    let content = [UInt8](try handle.read(upToCount: Self.contentSize) ?? Data())
    guard content.count == Self.contentSize else { return nil }
    let pageSize: UInt64? = content.withUnsafeBytes { bytes in
      func value<T: FixedWidthInteger>(_ offset: Int) -> T {
        bytes.loadUnaligned(fromByteOffset: offset, as: T.self)
      }
      let found = UInt64(value(Self.pageSizeOffset) as UInt32)
      guard value(0) == number, value(Self.flagsOffset) & Self.headFlag != 0,
        value(Self.magicOffset) == Self.magic, value(Self.versionOffset) == Self.dataVersion,
        Self.pageSizes.contains(Int(found)), size == nil || size == found,
        // A version whose pages the file lacks cannot be opened.
        (value(Self.lastPageOffset) as UInt64) < fileSize / found
      else { return nil }
      return found
    }
    guard let pageSize else { return nil }
    try handle.seek(toOffset: offset)
    let whole = [UInt8](try handle.read(upToCount: Int(pageSize)) ?? Data())
    return whole.count == Int(pageSize) ? whole : nil
  }

  private func write(_ page: [UInt8], as number: UInt64, at offset: UInt64) throws {
    var page = page
    page.withUnsafeMutableBytes { $0.storeBytes(of: number, as: UInt64.self) }
    try handle.seek(toOffset: offset)
    try handle.write(contentsOf: page)
    try handle.synchronize()
  }
}
