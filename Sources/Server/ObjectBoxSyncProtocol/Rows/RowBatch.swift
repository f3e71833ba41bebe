/// Objects in their form in messages.
///
/// The bytes name an entity and its properties once for all following objects. So a server can write rows of its
/// database, and a device can read them into records, without a ``Row`` in between.
///
/// The first byte of an object lists the parts of ``Content`` that follow. Then come the difference of its ID to the
/// previous object's ID, its versions, and its values in the order of the properties.
package struct RowBatch: Sendable {
  /// Parts of an object that the previous object does not share.
  struct Content: OptionSet {
    let rawValue: UInt8
    /// The entity and the properties of this object and the following ones.
    ///
    /// IDs and versions start again: the previous object counts as one with the ID 0, the origin ID 0 and the stamp
    /// ``Stamp/none``.
    static let head = Self(rawValue: 1)
    /// Another origin ID.
    static let originID = Self(rawValue: 2)
    /// Another stamp.
    static let stamp = Self(rawValue: 4)
    /// Stamps of single properties; without them the object has none.
    static let stamps = Self(rawValue: 8)
    /// Pairs; without them the object has none.
    static let pairs = Self(rawValue: 16)
    static let all: Self = [.head, .originID, .stamp, .stamps, .pairs]
  }

  /// The bytes of the objects, without their number.
  private(set) var content = WireWriter()
  /// The number of objects.
  package private(set) var count = 0
  /// The key of the first object.
  package private(set) var firstKey: ObjectKey?
  /// The key of the last object.
  package private(set) var lastKey: ObjectKey?
  /// True if each key is greater than the previous one.
  package private(set) var isAscending = true
  /// The greatest time of the objects' stamps.
  package private(set) var latest = HybridTime.distantPast
  /// Properties, origin ID and stamp of the last object.
  private var properties: [PropertyUID] = []
  private var originID = OriginID(0)
  private var stamp = Stamp.none

  /// Creates an empty batch.
  package init() {}

  /// Creates a batch of objects in any order.
  package init(_ rows: some Sequence<KeyedRow>) {
    for row in rows { append(row) }
  }

  /// True without objects.
  package var isEmpty: Bool { count == 0 }

  /// The number of bytes that the objects take in a message.
  package var byteCount: Int { content.bytes.count }

  /// Adds an object.
  package mutating func append(_ row: KeyedRow) {
    let values = row.row.values.elements
    let hasSame =
      values.count == properties.count
      && zip(values, properties).allSatisfy { $0.property == $1 }
    append(
      row.key,
      hasSame ? properties : values.map(\.property),
      originID: row.row.originID,
      stamp: row.row.stamp,
      stamps: row.row.stamps,
      pairs: row.row.pairs
    ) { writer in
      for element in values { writer.append(element.value) }
    }
  }

  /// Adds an object from values that are not in memory as such.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - properties: The properties in ascending order. Passing the same array for many objects makes the comparison
  ///     fast.
  ///   - originID: The origin ID.
  ///   - stamp: The stamp.
  ///   - stamps: The stamps of single properties.
  ///   - pairs: The pairs in ascending order.
  ///   - writeValues: Writes a value for each property, in the form of ``PropertyValue``.
  package mutating func append(
    _ key: ObjectKey,
    _ properties: [PropertyUID],
    originID: OriginID,
    stamp: Stamp,
    stamps: PropertyList<Stamp> = PropertyList(),
    pairs: [Pair] = [],
    writeValues: (inout WireWriter) -> Void
  ) {
    var parts: Content = []
    var lastID = lastKey?.id ?? 0
    if lastKey?.entity != key.entity || key.id <= lastID || self.properties != properties {
      parts.insert(.head)
      lastID = 0
      self.properties = properties
      self.originID = OriginID(0)
      self.stamp = .none
    }
    if originID != self.originID { parts.insert(.originID) }
    if stamp != self.stamp { parts.insert(.stamp) }
    if !stamps.isEmpty { parts.insert(.stamps) }
    if !pairs.isEmpty { parts.insert(.pairs) }
    if parts.contains(.head) {
      content.append(byte: parts.rawValue)
      content.append(key.entity)
      content.append(properties)
      content.append(key.id - lastID)
    } else {
      content.append(byte: parts.rawValue, key.id - lastID)
    }
    if parts.contains(.originID) { content.append(originID) }
    if parts.contains(.stamp) {
      content.append(stamp)
      latest = Swift.max(latest, stamp.time)
    }
    if parts.contains(.stamps) {
      content.append(stamps)
      for element in stamps.elements { latest = Swift.max(latest, element.value.time) }
    }
    if parts.contains(.pairs) { content.append(pairs) }
    writeValues(&content)
    self.originID = originID
    self.stamp = stamp
    note(key, key, 1)
  }

  /// Adds the objects of another batch.
  package mutating func append(_ other: RowBatch) {
    guard let first = other.firstKey, let last = other.lastKey else { return }
    // The other batch begins with a head.
    other.content.bytes.withUnsafeBytes { content.append(raw: $0) }
    (properties, originID, stamp) = (other.properties, other.originID, other.stamp)
    latest = Swift.max(latest, other.latest)
    isAscending = isAscending && other.isAscending
    note(first, last, other.count)
  }

  private mutating func note(_ first: ObjectKey, _ last: ObjectKey, _ count: Int) {
    if firstKey == nil { firstKey = first }
    if let lastKey, lastKey >= first { isAscending = false }
    lastKey = last
    self.count += count
  }

  /// Creates a reader of the objects.
  package func makeReader() -> RowReader { RowReader(WireReader(content.bytes), count: count) }

  /// Calls a body with the bytes of the objects; the ranges of ``RowReader/fields`` refer to them.
  package func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
    try content.bytes.withUnsafeBytes(body)
  }
}

extension RowBatch: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(count: count)
    withBytes { writer.append(raw: $0) }
  }

  /// Reads all objects once, so that later reads need no checks.
  package init(from reader: inout WireReader) throws(WireError) {
    let count = try reader.count()
    var rows = RowReader(reader, count: count)
    while try rows.next() { note(rows.key, rows.key, 1) }
    reader.read(upTo: rows.end) { content.append(raw: $0) }
    (properties, originID, stamp) = (rows.properties, rows.originID, rows.stamp)
    latest = rows.latest
  }
}

extension RowBatch: Sequence {
  /// Returns the objects one after the other.
  package struct Iterator: IteratorProtocol {
    private var reader: RowReader

    fileprivate init(_ reader: RowReader) { self.reader = reader }

    package mutating func next() -> KeyedRow? {
      do {
        return try reader.next() ? KeyedRow(key: reader.key, row: try reader.row()) : nil
      } catch {
        preconditionFailure("the objects of a batch were checked: \(error)")
      }
    }
  }

  package func makeIterator() -> Iterator { Iterator(makeReader()) }

  package var underestimatedCount: Int { count }
}

extension RowBatch: Hashable {
  /// Compares the objects, not the bytes: equal objects can have several forms.
  package static func == (left: Self, right: Self) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }

  package func hash(into hasher: inout Hasher) {
    for row in self { hasher.combine(row) }
  }
}
