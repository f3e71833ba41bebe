internal import ObjectBoxStorage

/// The bytes of a graph in its table, all numbers little-endian.
///
/// The key of a node is its object ID. The value is the number of levels (1 byte), then for each
/// level from 0 the number of links (4 bytes) and their object IDs (8 bytes each).
///
/// The key 0, which is not an object ID, has the version of this format (1 byte: 1), the highest level (1 byte), the ID
/// of the entry point (8 bytes) and the number of nodes (8 bytes). An empty graph lacks this key.
extension VectorGraph {
  private static let form: UInt8 = 1
  private static let headerSize = 18

  func readHeader() throws {
    let entryCount = try storage.count(definition.table)
    guard let bytes = try storage.get(definition.table, id: 0) else {
      if entryCount > 0 { throw damaged("it has \(entryCount) nodes and no beginning") }
      return
    }
    guard bytes.count == Self.headerSize, bytes[0] == Self.form else {
      throw damaged("its beginning has \(bytes.count) bytes of form \(bytes.first ?? 0)")
    }
    topLevel = Int(bytes[1])
    let storedCount: UInt64 = bytes.number(at: 10)
    count = entryCount - 1
    guard count > 0, storedCount == UInt64(count) else {
      throw damaged("it has \(count) nodes, counted as \(storedCount)")
    }
    let slot = try slot(ofLink: bytes.number(at: 2), from: 0)
    guard try hasLinks(slot), node(slot).pointee.levelCount == topLevel + 1 else {
      throw damaged(
        "searches begin at object \(node(slot).pointee.id) on level \(topLevel), whose highest level is "
          + "\(node(slot).pointee.levelCount - 1)"
      )
    }
    entry = slot
  }

  /// Returns the slot of a linked object.
  private func slot(ofLink id: UInt64, from origin: UInt64) throws -> UInt32 {
    guard id != 0, id != origin else { throw damaged("object \(origin) is linked with \(id)") }
    return slot(of: id)
  }

  /// Reads the links of a node, if it is in the graph.
  func readLinks(_ slot: UInt32) throws {
    let id = node(slot).pointee.id
    guard let bytes = try storage.get(definition.table, id: id) else { return }
    let levels = Int(bytes.first ?? 0)
    guard levels > 0, levels <= VectorIndexDefinition.highestLevel + 1 else {
      throw damaged("object \(id) stands on \(levels) levels")
    }
    let lists = newLists(levels)
    var offset = 1
    for level in 0..<levels {
      guard offset + 4 <= bytes.count else { throw damaged("the links of object \(id) end early") }
      let count = Int(bytes.number(at: offset) as UInt32)
      offset += 4
      guard offset + 8 * count <= bytes.count else {
        throw damaged("the links of object \(id) end early")
      }
      // A writer reserves room for a few more links.
      var list = LinkList.empty(capacity: isWritable ? count + 4 : count, in: arena)
      for _ in 0..<count {
        list.append(try self.slot(ofLink: bytes.number(at: offset), from: id), in: arena)
        offset += 8
      }
      lists[level] = list
    }
    guard offset == bytes.count else {
      throw damaged("the links of object \(id) go on after their end")
    }
    node(slot).pointee.lists = lists
    node(slot).pointee.levelCount = levels
  }

  /// Allocates the lists of a node.
  func newLists(_ levels: Int) -> UnsafeMutablePointer<LinkList> {
    arena.allocate(byteCount: levels * MemoryLayout<LinkList>.stride)
      .bindMemory(to: LinkList.self, capacity: levels)
  }

  /// Writes all changes to the table.
  func write() throws {
    guard headerIsChanged || !changed.isEmpty else { return }
    #if OBJECTBOX_INTERNAL_CHECKS
      try checkInvariants()
    #endif
    var bytes: [UInt8] = []
    // In ID order: neighbours in the table share pages.
    for slot in changed.sorted(by: { node($0).pointee.id < node($1).pointee.id }) {
      let id = node(slot).pointee.id
      node(slot).pointee.isChanged = false
      guard let lists = node(slot).pointee.lists else {
        _ = try storage.delete(definition.table, id: id)
        continue
      }
      encode(lists, levels: node(slot).pointee.levelCount, into: &bytes)
      try bytes.withUnsafeBytes { try storage.put(definition.table, id: id, record: $0) }
    }
    changed.removeAll(keepingCapacity: true)
    try writeHeader()
  }

  private func encode(
    _ lists: UnsafeMutablePointer<LinkList>,
    levels: Int,
    into bytes: inout [UInt8]
  ) {
    let size = (0..<levels).reduce(1) { $0 + 4 + 8 * lists[$1].count }
    bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, initializedCount in
      let buffer = UnsafeMutableRawBufferPointer(buffer)
      buffer[0] = UInt8(levels)
      var offset = 1
      for level in 0..<levels {
        let list = lists[level]
        buffer.storeBytes(
          of: UInt32(list.count).littleEndian,
          toByteOffset: offset,
          as: UInt32.self
        )
        offset += 4
        for index in 0..<list.count {
          let id = node(list.slots[index]).pointee.id
          buffer.storeBytes(of: id.littleEndian, toByteOffset: offset, as: UInt64.self)
          offset += 8
        }
      }
      initializedCount = size
    }
  }

  private func writeHeader() throws {
    guard headerIsChanged else { return }
    headerIsChanged = false
    guard let entry else {
      _ = try storage.delete(definition.table, id: 0)
      return
    }
    var bytes = [Self.form, UInt8(topLevel)]
    for number in [node(entry).pointee.id, UInt64(count)] {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
    try bytes.withUnsafeBytes { try storage.put(definition.table, id: 0, record: $0) }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func number<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> T {
    T(littleEndian: loadUnaligned(fromByteOffset: offset, as: T.self))
  }
}
