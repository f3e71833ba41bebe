/// A file of a simulated disk.
struct DiskFile: Sendable {
  /// The unit in which the system's cache writes files.
  private static let page = 4096

  enum Change: Sendable {
    case bytes(offset: Int, [UInt8])
    case size(Int)
  }

  var durable: [UInt8] = []
  /// Changes since the last sync, in order.
  var pending: [Change] = []
  /// The pages that the files show, and that the system falsely takes for written.
  var forgotten: [Int: [UInt8]] = [:]

  /// The content that programs read.
  var shown: [UInt8] {
    var content = durable
    for change in pending { Self.apply(change, to: &content) }
    for change in forgottenChanges { Self.apply(change, to: &content) }
    return content
  }

  /// The forgotten pages as changes, in the order of their places.
  var forgottenChanges: [Change] {
    forgotten.sorted { $0.key < $1.key }.map { .bytes(offset: $0.key * Self.page, $0.value) }
  }

  /// Takes the pages of some bytes for written, although the disk does not get them.
  mutating func forget(_ ranges: [Range<Int>], of content: [UInt8]) {
    for range in ranges {
      for number in range.lowerBound / Self.page..<(range.upperBound + Self.page - 1) / Self.page {
        let start = number * Self.page
        if start < content.count {
          forgotten[number] = Array(content[start..<min(start + Self.page, content.count)])
        }
      }
    }
  }

  mutating func write(_ bytes: [UInt8], at offset: Int) {
    pending += remembered(offset: offset, count: bytes.count)
    pending.append(.bytes(offset: offset, bytes))
  }

  mutating func truncate(to size: Int) {
    pending.append(.size(size))
    for (number, bytes) in forgotten where number * Self.page + bytes.count > size {
      let rest = size - number * Self.page
      forgotten[number] = rest > 0 ? Array(bytes.prefix(rest)) : nil
    }
  }

  /// Takes a synced write for done that only the cache got.
  mutating func forgetWrite(_ bytes: [UInt8], at offset: Int) {
    var content = shown
    Self.put(bytes, at: offset, into: &content)
    forget([offset..<offset + bytes.count], of: content)
    if content.count > shown.count { pending.append(.size(content.count)) }
  }

  /// Forgets what waits for a sync; changes of the size stay.
  mutating func failSync() {
    let content = shown
    var ranges: [Range<Int>] = []
    var sizes: [Change] = []
    for change in pending {
      switch change {
      case .bytes(let offset, let bytes): ranges.append(offset..<offset + bytes.count)
      case .size: sizes.append(change)
      }
    }
    forget(ranges, of: content)
    pending = sizes + [.size(content.count)]
  }

  /// Returns the forgotten pages that a write makes dirty again, which are forgotten no more.
  mutating func remembered(offset: Int, count: Int) -> [Change] {
    guard !forgotten.isEmpty else { return [] }
    return (offset / Self.page..<(offset + count + Self.page - 1) / Self.page).compactMap {
      number in
      forgotten.removeValue(forKey: number).map {
        .bytes(offset: number * Self.page, $0)
      }
    }
  }

  static func put(_ bytes: [UInt8], at offset: Int, into content: inout [UInt8]) {
    let end = offset + bytes.count
    if end > content.count { content += [UInt8](repeating: 0, count: end - content.count) }
    content.replaceSubrange(offset..<end, with: bytes)
  }

  static func apply(_ change: Change, to content: inout [UInt8]) {
    switch change {
    case .bytes(let offset, let bytes): put(bytes, at: offset, into: &content)
    case .size(let size):
      if size < content.count {
        content.removeLast(content.count - size)
      } else {
        content += [UInt8](repeating: 0, count: size - content.count)
      }
    }
  }
}
