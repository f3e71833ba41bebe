import CObjectBoxFullText

/// A sequence of ascending numbers in chunks, with access by index.
///
/// The directory has 16 bytes for each chunk: its base (8 bytes) and the width of its offsets in bytes. With the width
/// 0, numbers are consecutive from the base on.
struct NumberTable {
  /// Numbers of a chunk.
  static let chunkCount = Int(OBX_CHUNK_NUMBERS)
  /// Size of an entry of the directory.
  static let entrySize = 16
  /// Entries of a value of the directory.
  static let entriesPerValue = IndexTable.chunkSize / entrySize

  /// A chunk of the table.
  struct Chunk {
    var base: UInt64
    var width: Int
    var offsets = UnsafeRawBufferPointer(start: nil, count: 0)

    init?(entry: UnsafeRawPointer) {
      base = UInt64(littleEndian: entry.loadUnaligned(as: UInt64.self))
      width = Int(entry.load(fromByteOffset: 8, as: UInt8.self))
      guard [0, 2, 4, 8].contains(width) else { return nil }
    }

    /// The number at an index of the chunk.
    @inline(__always)
    func number(at index: Int) -> UInt64 {
      width == 0 ? base &+ UInt64(index) : base &+ offset(at: index)
    }

    @inline(__always)
    func offset(at index: Int) -> UInt64 {
      switch width {
      case 2: UInt64(offsets.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self).littleEndian)
      case 4: UInt64(offsets.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self).littleEndian)
      default: offsets.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self).littleEndian
      }
    }

    /// The number at an index; nil if the index has none.
    @inline(__always)
    func numberOrNone(at index: Int) -> UInt64? {
      if width == 0 { return base &+ UInt64(index) }
      let offset = offset(at: index)
      return offset == Self.none(width) ? nil : base &+ offset
    }

    /// The offset that stands for no number.
    static func none(_ width: Int) -> UInt64 { width == 8 ? .max : 1 << UInt64(width * 8) - 1 }

    /// Returns the first index from `start` on of a number that is at least the given one; the number at `count` - 1
    /// is.
    ///
    /// - Complexity: O(log *n*) for the distance *n* from `start`.
    func firstIndex(from number: UInt64, count: Int, after start: Int) -> Int {
      var (low, step) = (start, 1)
      while low + step < count, self.number(at: low + step - 1) < number {
        low += step
        step *= 2
      }
      var high = min(low + step, count)
      while low < high {
        let middle = (low + high) / 2
        if self.number(at: middle) < number { low = middle + 1 } else { high = middle }
      }
      return low
    }

    /// Returns the first index below `count` of a number that is at least the given one.
    func firstIndex(from number: UInt64, count: Int) -> Int {
      if number <= base { return 0 }
      if width == 0 { return Int(min(number - base, UInt64(count))) }
      var (low, high) = (0, count)
      while low < high {
        let middle = (low + high) / 2
        if self.number(at: middle) < number { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }
}
