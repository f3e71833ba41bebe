internal import ObjectBox

/// Makes objects of an entity from the rows of a result.
///
/// A class, since it owns a buffer that it reuses; one task at a time uses it.
final class RowDecoding<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  private let table: ClusterTable
  private let store: Store
  private let builder: FlatBufferBuilder

  /// - Parameters:
  ///   - table: The table of the entity.
  ///   - store: The store that the relations of the objects ask.
  init(_ table: ClusterTable, store: Store) {
    self.table = table
    self.store = store
    builder = FlatBufferBuilder(layout: table.layout)
  }

  /// Returns the objects of all rows.
  ///
  /// - Parameters:
  ///   - rows: Their columns are those of ``ClusterTable/selection``, from `first` on.
  ///   - first: The index of the first of these columns.
  /// - Returns: An object for each row.
  /// - Throws: `ObjectBoxError` of the binding, when a value cannot be converted to the type of its property.
  func objects(_ rows: ResultRows, from first: Int = 0) throws -> [E] {
    try (0..<rows.count).map { try object(rows, $0, from: first) }
  }

  /// Returns the object of a row.
  func object(_ rows: ResultRows, _ row: Int, from first: Int = 0) throws -> E {
    guard let id = rows.integer(row, first, as: UInt64.self) else {
      throw ObjectBoxError.illegalState(message: "a row of '\(table.schema.name)' has no ID")
    }
    builder.scratch.begin(layout: table.layout)
    for (index, column) in table.columns.enumerated() where index > 0 {
      if let bytes = rows.bytes(row, first + index) { column.collect(bytes, in: builder) }
    }
    let record = try builder.scratch.finish(of: table.schema, id: id)
    guard let reader = FlatBufferReader(record: record, id: id, layout: table.layout.view) else {
      throw ObjectBoxError.illegalState(
        message: "a record of '\(table.schema.name)' is shorter than its layout"
      )
    }
    return try E.entityBinding.createEntity(entityReader: reader, store: store)
  }
}

extension Column {
  /// Adds a value of a result to the record under construction.
  func collect(_ bytes: UnsafeRawBufferPointer, in builder: FlatBufferBuilder) {
    let slot = UInt16(2 + 2 * property.identity.id)
    func load<T: FixedWidthInteger>(_ type: T.Type) -> T { T(bigEndianBytes: bytes) ?? 0 }
    switch kind {
    case .bool: builder.collect(bytes.first != 0, at: slot)
    case .smallint: builder.collect(load(Int16.self), at: slot)
    case .integer: builder.collect(load(Int32.self), at: slot)
    case .bigint: builder.collect(load(Int64.self), at: slot)
    case .timestamp:
      builder.collect(Self.milliseconds(ofTimestamp: load(Int64.self)), at: slot)
    case .real: builder.collect(Float(bitPattern: load(UInt32.self)), at: slot)
    case .double: builder.collect(Double(bitPattern: load(UInt64.self)), at: slot)
    case .text, .numeric, .bytes, .uuid:
      builder.collect(dataOffset: builder.scratch.append(bytes), at: slot)
    case .integers:
      builder.collect(dataOffset: builder.prepare(values: bytes.numbers(Int32.self)), at: slot)
    case .bigints:
      builder.collect(dataOffset: builder.prepare(values: bytes.numbers(Int64.self)), at: slot)
    case .reals:
      let numbers = bytes.numbers(UInt32.self).map(Float.init(bitPattern:))
      builder.collect(dataOffset: builder.prepare(values: numbers), at: slot)
    case .texts:
      let texts = bytes.elements.map { String(decoding: $0, as: UTF8.self) }
      builder.collect(dataOffset: builder.prepare(values: texts), at: slot)
    }
  }

  /// Returns the milliseconds since 1970 of a timestamptz, in microseconds since 2000; rounded down, since other
  /// tools may store more.
  static func milliseconds(ofTimestamp microseconds: Int64) -> Int64 {
    let quotient = microseconds / 1_000
    let isBelow = microseconds % 1_000 < 0
    return quotient - (isBelow ? 1 : 0) + ColumnKind.epoch
  }
}

extension UnsafeRawBufferPointer {
  /// The elements of an array of one dimension in PostgreSQL's binary form, without nulls; see `array_send`.
  var elements: [UnsafeRawBufferPointer] {
    func number(at offset: Int) -> Int? {
      guard offset + 4 <= count else { return nil }
      return Int32(bigEndianBytes: UnsafeRawBufferPointer(rebasing: self[offset..<offset + 4]))
        .map { Int($0) }
    }
    guard number(at: 0) ?? 0 > 0, let size = number(at: 12) else { return [] }
    var all: [UnsafeRawBufferPointer] = []
    all.reserveCapacity(Swift.min(size, count / 4))
    var offset = 20
    for _ in 0..<size {
      guard let length = number(at: offset) else { return all }
      offset += 4
      if length < 0 { continue }
      guard offset + length <= count else { return all }
      all.append(UnsafeRawBufferPointer(rebasing: self[offset..<offset + length]))
      offset += length
    }
    return all
  }

  /// The elements of an array of numbers.
  func numbers<T: FixedWidthInteger>(_ type: T.Type) -> [T] {
    elements.compactMap { T(bigEndianBytes: $0) }
  }
}
