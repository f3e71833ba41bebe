internal import CObjectBoxVectors
package import ObjectBoxStorage

/// The graph of a nearest-neighbour index in one transaction: a hierarchical navigable small world.
///
/// Nodes are objects with a vector. Each node is on level 0. The probability of further levels
/// falls by the factor ``VectorIndexDefinition/linkCount`` per level. Invariant of each level:
/// links go both ways, and all nodes are connected.
///
/// Vectors stay in the records. A node is looked up once per transaction, when a search first
/// reaches it, and then cached. Changes are cached too: `write()` writes them, and must be called
/// before the transaction commits.
///
/// A graph belongs to one transaction at a time. A write transaction may pass its graph on to the next write
/// transaction, because the graph of a writer copies everything that it reads.
package final class VectorGraph {
  let definition: VectorIndexDefinition
  let records: RecordTable
  /// The storage transaction; inside a savepoint, a child of the outer transaction.
  package var storage: StorageTransaction
  let isWritable: Bool

  /// Entry point of a search: a node of the highest level.
  var entry: UInt32?
  /// The highest level with a node.
  var topLevel = 0
  /// The number of nodes.
  var count = 0
  var headerIsChanged = false

  private(set) var nodes: UnsafeMutablePointer<VectorNode>
  private(set) var nodeCount = 0
  private var nodeCapacity = 256
  /// The records of vectors that were read, by slot; nil in write transactions, where records move.
  ///
  /// A search tests conditions on its candidates: a look-up of their records costs six times as
  /// much.
  private var nodeRecords: UnsafeMutablePointer<UnsafeRawBufferPointer>?
  private let slots = SlotTable()
  let arena = MemoryArena()
  var changed: [UInt32] = []
  /// The mark of the last search that reached a node, by slot.
  ///
  /// Stored apart from the nodes: a search checks the marks of many more nodes than it reads.
  private(set) var marks: UnsafeMutablePointer<UInt16>
  private var lastMark: UInt16 = 0
  private static let keptByteCount = 128 << 20
  /// The candidates of the search in progress.
  let pool = NearestPool()

  package init(
    _ definition: VectorIndexDefinition,
    records: RecordTable,
    in storage: StorageTransaction,
    isWritable: Bool
  ) throws {
    self.definition = definition
    self.records = records
    self.storage = storage
    self.isWritable = isWritable
    nodes = .allocate(capacity: nodeCapacity)
    marks = .allocate(capacity: nodeCapacity)
    marks.initialize(repeating: 0, count: nodeCapacity)
    if !isWritable { growRecords(from: 0, to: nodeCapacity) }
    try readHeader()
  }

  deinit {
    nodes.deallocate()
    marks.deallocate()
    nodeRecords?.deallocate()
  }

  /// The approximate size of its memory in bytes.
  var byteCount: Int {
    let record = isWritable ? 0 : MemoryLayout<UnsafeRawBufferPointer>.stride
    let node = MemoryLayout<VectorNode>.stride + MemoryLayout<UInt16>.stride + record
    return arena.byteCount + slots.byteCount + nodeCapacity * node
  }

  /// True if the graph is small enough to be kept for the next transaction.
  package var isMovable: Bool {
    byteCount <= min(Self.keptByteCount, definition.cacheLimitInBytes)
  }

  // MARK: Nodes

  /// Returns the slot of an object, which need not be in the graph.
  func slot(of id: UInt64) -> UInt32 {
    let slot = slots.slot(of: id, orAdd: UInt32(nodeCount))
    if Int(slot) == nodeCount {
      if nodeCount == nodeCapacity { growNodes() }
      (nodes + nodeCount).initialize(to: VectorNode(id: id))
      nodeCount += 1
    }
    return slot
  }

  private func growNodes() {
    let old = nodes
    nodes = .allocate(capacity: nodeCapacity * 2)
    nodes.moveInitialize(from: old, count: nodeCount)
    old.deallocate()
    let oldMarks = marks
    marks = .allocate(capacity: nodeCapacity * 2)
    marks.moveInitialize(from: oldMarks, count: nodeCapacity)
    (marks + nodeCapacity).initialize(repeating: 0, count: nodeCapacity)
    oldMarks.deallocate()
    if !isWritable { growRecords(from: nodeCapacity, to: nodeCapacity * 2) }
    nodeCapacity *= 2
  }

  private func growRecords(from oldCapacity: Int, to capacity: Int) {
    let grown = UnsafeMutablePointer<UnsafeRawBufferPointer>.allocate(capacity: capacity)
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    if let nodeRecords { grown.moveInitialize(from: nodeRecords, count: oldCapacity) }
    (grown + oldCapacity).initialize(repeating: none, count: capacity - oldCapacity)
    nodeRecords?.deallocate()
    nodeRecords = grown
  }

  func node(_ slot: UInt32) -> UnsafeMutablePointer<VectorNode> { nodes + Int(slot) }

  /// Returns a new number, which marks the nodes that a search reaches.
  func newMark() -> UInt16 {
    if lastMark == .max {
      marks.update(repeating: 0, count: nodeCapacity)
      lastMark = 0
    }
    lastMark += 1
    return lastMark
  }

  /// Returns whether an object is in the graph.
  func contains(id: UInt64) throws -> Bool { try hasLinks(slot(of: id)) }

  /// Returns whether the node of a slot is in the graph; reads its links if they are not cached.
  func hasLinks(_ slot: UInt32) throws -> Bool {
    if node(slot).pointee.lists == nil, !node(slot).pointee.isChanged { try readLinks(slot) }
    return node(slot).pointee.lists != nil
  }

  /// Returns the links of a node on one of its levels.
  func links(_ slot: UInt32, level: Int) throws -> UnsafeMutablePointer<LinkList> {
    if let lists = node(slot).pointee.lists, level < node(slot).pointee.levelCount {
      return lists + level
    }
    guard try hasLinks(slot), let lists = node(slot).pointee.lists,
      level < node(slot).pointee.levelCount
    else {
      throw damaged("object \(node(slot).pointee.id) is linked on level \(level), and not there")
    }
    return lists + level
  }

  func markChanged(_ slot: UInt32) {
    guard !node(slot).pointee.isChanged else { return }
    node(slot).pointee.isChanged = true
    changed.append(slot)
  }

  // MARK: Vectors

  /// Returns the vector of a node.
  func vector(_ slot: UInt32) throws -> ScaledVector {
    if let start = node(slot).pointee.vector {
      return ScaledVector(start: start, scale: node(slot).pointee.scale)
    }
    return try readVector(slot)
  }

  /// Prefetches the vector of a node, if its address is known.
  func prefetchVector(_ slot: UInt32) {
    if let start = node(slot).pointee.vector {
      objectbox_prefetch_vector(start, definition.dimensions)
    }
  }

  /// Prefetches the links of a node on level 0, if they are cached.
  func prefetchLinks(_ slot: UInt32) {
    // The list and its first links are allocated together.
    if let lists = node(slot).pointee.lists { objectbox_prefetch_vector(lists, 48) }
  }

  private func readVector(_ slot: UInt32) throws -> ScaledVector {
    let id = node(slot).pointee.id
    guard let start = try recordedVector(slot) else { throw missingVector(of: id) }
    return setVector(slot, isWritable ? copy(start) : start)
  }

  private func recordedVector(_ slot: UInt32) throws -> UnsafeRawPointer? {
    let id = node(slot).pointee.id
    guard let record = try storage.get(records.objects, id: id) else { return nil }
    nodeRecords?[Int(slot)] = record
    return definition.vector(in: try records.reader(record, id: id))?.baseAddress
  }

  /// Returns the record of an object; nil when there is none.
  ///
  /// In a write transaction it is valid until the next change.
  func record(of id: UInt64) throws -> RecordReader? {
    // A new slot may move the table.
    let slot = slot(of: id)
    if let known = nodeRecords?[Int(slot)], known.baseAddress != nil {
      return try records.reader(known, id: id)
    }
    return try storage.get(records.objects, id: id).map { try records.reader($0, id: id) }
  }

  /// Returns the vector of an object, which need not be in the graph; nil if it has no vector.
  ///
  /// In a write transaction it is valid until the next change.
  func storedVector(of id: UInt64) throws -> ScaledVector? {
    let slot = slot(of: id)
    if let start = node(slot).pointee.vector {
      return ScaledVector(start: start, scale: node(slot).pointee.scale)
    }
    guard let start = try recordedVector(slot) else { return nil }
    // Copies of all vectors that are compared would fill the memory of a writer's graph.
    if isWritable { return definition.distance.scaled(start) }
    return setVector(slot, start)
  }

  /// Sets the vector of a node to a copy.
  func setVector(_ slot: UInt32, copyOf vector: UnsafeRawPointer) {
    _ = setVector(slot, copy(vector))
  }

  private func setVector(_ slot: UInt32, _ start: UnsafeRawPointer) -> ScaledVector {
    let scale = definition.distance.scale(of: start)
    node(slot).pointee.vector = start
    node(slot).pointee.scale = scale
    return ScaledVector(start: start, scale: scale)
  }

  private func copy(_ start: UnsafeRawPointer) -> UnsafeRawPointer {
    let size = definition.dimensions * 4
    let copy = arena.allocate(byteCount: size)
    copy.copyMemory(from: start, byteCount: size)
    return UnsafeRawPointer(copy)
  }

  func distance(_ slot: UInt32, _ vector: ScaledVector) throws -> Float {
    definition.distance.measure(try self.vector(slot), vector)
  }

  // MARK: Errors

  func missingVector(of id: UInt64) -> ObjectBoxError {
    damaged("object \(id) is in the index and has no vector")
  }

  func damaged(_ what: String) -> ObjectBoxError {
    .fileCorrupt(
      message:
        "the nearest-neighbour index on '\(records.entityName).\(definition.property.name)' is "
        + "damaged: \(what); restore the store from a backup, or open it once with a model without "
        + "the index, which drops it"
    )
  }
}

extension VectorIndexDefinition {
  /// Returns the bytes of a record's vector; nil if it is null or has another length.
  func vector(in record: RecordReader) -> UnsafeRawBufferPointer? {
    guard let bytes = record.bytes(record.field(propertyID: propertyID)),
      bytes.count == dimensions * 4
    else { return nil }
    return bytes
  }
}
