/// The bytes of a record under construction.
///
/// While a binding prepares variable values, they are appended after the space for the fixed part.
/// They are usually collected in the layout's order; then the record is complete without another
/// copy. The buffer is reused for each object.
///
/// Generated code in the module of the program stores fixed-size values directly, so it sees some
/// of the state. Its stores rely on these invariants:
/// - `base` has room for the fixed part of `layout`, and every offset and presence bit in `fields`
///   lies in this part.
/// - `fields` and `fieldCount` belong to `layout`, which the scratch keeps alive.
@usableFromInline
package final class RecordEncoder {
  /// A prepared variable value.
  private struct Chunk {
    var start: Int
    var end: Int
  }

  @usableFromInline @exclusivity(unchecked) private(set) var base: UnsafeMutableRawPointer
  @usableFromInline @exclusivity(unchecked) private(set) var fields: UnsafePointer<RecordField>
  @usableFromInline @exclusivity(unchecked) private(set) var fieldCount: Int
  /// The number of prepared values.
  @usableFromInline @exclusivity(unchecked) private(set) var chunkCount = 0
  private var capacity: Int
  private(set) var layout: RecordLayout
  private var length = 0
  private var chunks = UnsafeMutableBufferPointer<Chunk>.allocate(capacity: 8)
  /// The reason why the record under construction cannot be stored.
  enum Fault {
    /// The binding does not fit the model.
    case binding(String)
    /// A property has a value that cannot be stored.
    case value(propertyID: UInt32, Refusal)
  }

  /// A value that cannot be stored, and its type, in words, such as "a date of inf seconds since
  /// 1970" and "date".
  struct Refusal {
    var words: String
    var kind: String
  }

  /// The first fault of this record.
  private(set) var fault: Fault?
  /// The last prepared value that was refused.
  private var refused: Refusal?

  init(layout: RecordLayout) {
    self.layout = layout
    fields = layout.fields
    fieldCount = layout.fieldCount
    // Up to about this size glibc keeps freed memory ready for the same thread.
    capacity = max(1_000, layout.fixedSize * 2)
    base = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    base.deallocate()
    chunks.deallocate()
  }

  /// Sets the layout of the records that begin from now on.
  func use(_ layout: RecordLayout) {
    guard layout !== self.layout else { return }
    self.layout = layout
    fields = layout.fields
    fieldCount = layout.fieldCount
    length = 0
    if layout.fixedSize > capacity { grow(to: layout.fixedSize) }
  }

  /// Starts a record of the layout in use in which every property is null.
  @inline(__always)
  func begin() {
    length = layout.fixedSize
    base.initializeMemory(as: UInt8.self, repeating: 0, count: length)
    base.storeBytes(of: layout.definition.number.littleEndian, as: UInt16.self)
    chunkCount = 0
    if fault != nil { fault = nil }
  }

  /// Returns the field of a slot; nil for a slot beyond the layout.
  @inlinable @inline(__always)
  func field(at slot: UInt16) -> RecordField? {
    let index = Int((slot &- 2) >> 1)
    return index < fieldCount ? fields[index] : nil
  }

  /// Stores a value and marks its property as present.
  @inlinable @inline(__always)
  func set<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, in field: RecordField) {
    store(value, at: field.offset)
    markPresent(field)
  }

  /// Returns the field of a property; notes a fault if the schema lacks the property.
  func field(propertyID: UInt32) -> RecordField {
    if Int(propertyID) < fieldCount {
      let field = fields[Int(propertyID)]
      if field.kind != .absent { return field }
    }
    note("the binding collects property \(propertyID), which the model lacks")
    return .absent
  }

  /// Notes the first fault, which `finish` throws.
  @inline(never)
  func note(_ text: @autoclosure () -> String) {
    if fault == nil { fault = .binding(text()) }
  }

  /// Notes a value that cannot be stored, unless there is a fault already.
  @inline(never)
  func note(_ refusal: Refusal, propertyID: UInt32) {
    if fault == nil { fault = .value(propertyID: propertyID, refusal) }
  }

  /// Refuses a value during preparation; ``assign(chunk:to:propertyID:)`` with the result notes the
  /// fault.
  @inline(never)
  func refuse(_ refusal: Refusal) -> UInt32 {
    refused = refusal
    return .max
  }

  @inlinable @inline(__always)
  func markPresent(_ field: RecordField) {
    let offset = 2 + Int(field.presenceBit >> 3)
    let byte = base.load(fromByteOffset: offset, as: UInt8.self)
    base.storeBytes(
      of: byte | (1 << UInt8(truncatingIfNeeded: field.presenceBit & 7)),
      toByteOffset: offset,
      as: UInt8.self
    )
  }

  @inlinable @inline(__always)
  func store<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, at offset: UInt16) {
    base.storeBytes(of: value.littleEndian, toByteOffset: Int(offset), as: T.self)
  }

  /// Appends a variable value and returns its number, from 1.
  package func append(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    let start = length
    // The sum cannot overflow: both parts are in memory.
    let end = start &+ bytes.count
    if end > capacity { grow(to: end) }
    if let source = bytes.baseAddress {
      (base + start).copyMemory(from: source, byteCount: bytes.count)
    }
    let index = chunkCount
    if index == chunks.count { growChunks() }
    chunks[index] = Chunk(start: start, end: end)
    chunkCount = index &+ 1
    length = end
    return UInt32(truncatingIfNeeded: index &+ 1)
  }

  @inline(never)
  private func growChunks() {
    let more = UnsafeMutableBufferPointer<Chunk>.allocate(capacity: chunks.count * 2)
    _ = more.initialize(from: chunks)
    chunks.deallocate()
    chunks = more
  }

  /// Assigns a prepared value to a property; notes a fault if the property cannot have it.
  func assign(chunk: UInt32, to field: RecordField, propertyID: UInt32) {
    guard field.kind.isVariable, Int(chunk) <= chunkCount else {
      if chunk == .max, let refused { return note(refused, propertyID: propertyID) }
      note("the binding collects a prepared value for a property of fixed size")
      return
    }
    // Until the record is finished, the number of the chunk is stored in place of the value's end.
    store(chunk, at: field.offset)
    markPresent(field)
  }

  private static func error(_ fault: Fault, _ entity: EntitySchema) -> ObjectBoxError {
    switch fault {
    case .binding(let text): return .illegalArgument(message: text)
    case .value(let id, let refusal):
      let property = entity.propertyName(id)
      return .illegalArgument(
        message:
          "cannot put '\(entity.name)': its '\(property)' is \(refusal.words), "
          + "which no record holds; put another \(refusal.kind), or nil"
      )
    }
  }

  /// Completes the record and returns its bytes, valid until the next `begin`.
  ///
  /// - Parameters:
  ///   - entity: The entity of the object, for messages.
  ///   - id: The ID of the object, for the checksum.
  /// - Returns: The bytes of the record.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the binding did not fit the model, a value
  ///   cannot be stored, or the record is larger than 4 GiB.
  func finish(of entity: EntitySchema, id: UInt64) throws -> UnsafeRawBufferPointer {
    if let fault { throw Self.error(fault, entity) }
    guard length <= Int(UInt32.max) - RecordChecksum.size else {
      throw ObjectBoxError.illegalArgument(
        message: "an object takes \(length) bytes, more than the 4 GiB that a record can "
          + "hold; keep large bytes in a file, and its path here"
      )
    }
    let count = layout.variableCount
    var end = layout.fixedSize
    var index = 0
    while index < count {
      if let chunk = chunk(ofVariable: index) {
        guard chunk.start == end else { return sealed(finishReordered(from: index, end), id: id) }
        end = chunk.end
      }
      storeEnd(end, ofVariable: index)
      index &+= 1
    }
    // The remaining chunks have no property.
    return sealed(end, id: id)
  }

  /// Adds the checksum, unless the object is not in a file, and returns the bytes of the record.
  @inline(__always)
  private func sealed(_ end: Int, id: UInt64) -> UnsafeRawBufferPointer {
    guard let checksum = layout.checksum else {
      return UnsafeRawBufferPointer(start: base, count: end)
    }
    let count = end &+ RecordChecksum.size
    if count > capacity { grow(to: count) }
    checksum.write(behind: end, of: base, id: id)
    return UnsafeRawBufferPointer(start: base, count: count)
  }

  /// Makes a copy of a record of the layout in use, with other values of fixed size.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - change: Changes values in the copy, whose size stays.
  /// - Returns: The bytes of the copy with its checksum, valid until the next `begin`.
  func copy(
    _ record: RecordReader,
    _ change: (UnsafeMutableRawPointer) -> Void
  ) -> UnsafeRawBufferPointer {
    length = 0
    if record.size > capacity { grow(to: record.size) }
    base.copyMemory(from: record.base, byteCount: record.size)
    change(base)
    let copy = UnsafeMutableRawBufferPointer(start: base, count: record.size)
    layout.checksum?.update(copy, id: record.id)
    return UnsafeRawBufferPointer(copy)
  }

  /// The chunk of a variable property, by its index in the layout's order; nil for null.
  ///
  /// Valid until the value's end is stored.
  @inline(__always)
  private func chunk(ofVariable index: Int) -> Chunk? {
    let offset = layout.endsOffset &+ 4 &* index
    let number = UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    return number == 0 ? nil : chunks[Int(number) &- 1]
  }

  /// Moves the variable values from `first` on into the layout's order, and drops values without a
  /// property.
  ///
  /// The values before `first` end at `start` and stay. Returns the end of the last value.
  private func finishReordered(from first: Int, _ start: Int) -> Int {
    // A prepared value that two properties share is stored twice.
    var end = start
    for index in first..<layout.variableCount {
      if let chunk = chunk(ofVariable: index) { end += chunk.end - chunk.start }
    }
    capacity = max(capacity, end)
    let room = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    end = start
    (room + layout.fixedSize).copyMemory(
      from: base + layout.fixedSize,
      byteCount: start - layout.fixedSize
    )
    for index in first..<layout.variableCount {
      if let chunk = chunk(ofVariable: index) {
        (room + end).copyMemory(from: base + chunk.start, byteCount: chunk.end - chunk.start)
        end += chunk.end - chunk.start
      }
      storeEnd(end, ofVariable: index)
    }
    room.copyMemory(from: base, byteCount: layout.fixedSize)
    base.deallocate()
    base = room
    length = end
    return end
  }

  @inline(__always)
  private func storeEnd(_ end: Int, ofVariable index: Int) {
    base.storeBytes(
      of: UInt32(end).littleEndian,
      toByteOffset: layout.endsOffset &+ 4 &* index,
      as: UInt32.self
    )
  }

  @inline(never)
  private func grow(to count: Int) {
    capacity = max(capacity * 2, count)
    let room = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    room.copyMemory(from: base, byteCount: length)
    base.deallocate()
    base = room
  }
}
