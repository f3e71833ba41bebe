/// New values of some properties, for the records of several objects.
package struct RecordUpdate {
  /// Passes the new value of a property to a builder; passes nothing for null.
  package typealias Collector = (FlatBufferBuilder, __Slot) -> Void

  /// A value of fixed size in records of the builder's layout.
  private struct FixedValue {
    let offset: Int
    let size: Int
    let presence: (offset: Int, mask: UInt8)
  }

  /// A record in the layout of the builder with the new values alone.
  package let values: [UInt8]
  /// The properties with new values.
  package let properties: [PropertySchema]
  private let entity: EntitySchema
  /// The properties in the order of their values in records.
  private let sources: [(propertyID: UInt32, isNew: Bool)]
  /// The new values, if all have a fixed size.
  private let fixed: [FixedValue]?

  /// Encodes the new values.
  ///
  /// - Parameters:
  ///   - collectors: The new values, by the IDs of the properties.
  ///   - entity: The entity.
  ///   - builder: A builder in the layout of the records to write.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for a property that the entity lacks, for its ID, and
  ///   for a value that cannot be stored.
  package init(
    _ collectors: [UInt32: Collector],
    of entity: EntitySchema,
    in builder: FlatBufferBuilder
  ) throws {
    let layout = builder.scratch.layout
    func field(_ property: PropertySchema) -> RecordField {
      layout.field(propertyID: property.identity.id)
    }
    let stored = entity.properties.filter { !$0.has(.id) }
      .sorted { field($0).offset < field($1).offset }
    let new = stored.filter { collectors[$0.identity.id] != nil }
    guard new.count == collectors.count else {
      throw Self.unknown(collectors.keys, in: entity)
    }
    values = [UInt8](
      try builder.record(of: entity, id: 0) {
        for property in new {
          let id = property.identity.id
          collectors[id]?(builder, __Slot(ofProperty: id, property.type))
        }
      }
    )
    properties = new
    self.entity = entity
    sources = stored.map { ($0.identity.id, collectors[$0.identity.id] != nil) }
    let fixed = new.compactMap { property in
      field(property).size.map {
        FixedValue(
          offset: Int(field(property).offset),
          size: $0,
          presence: field(property).presence
        )
      }
    }
    self.fixed = fixed.count == new.count ? fixed : nil
  }

  private static func unknown(
    _ ids: some Sequence<UInt32>,
    in entity: EntitySchema
  ) -> ObjectBoxError {
    for id in ids.sorted() {
      guard let property = entity.property(id: id) else {
        return .illegalArgument(
          message:
            "an update sets property \(id) of '\(entity.name)', which the model of the store lacks; run the "
            + "generator again"
        )
      }
      if property.has(.id) {
        return .illegalArgument(
          message:
            "an update sets '\(entity.name).\(property.name)', the ID, which an object keeps; put a new object "
            + "and remove the old one"
        )
      }
    }
    return .illegalArgument(message: "an update does not fit '\(entity.name)'")
  }

  /// Returns the record of an object with the new values.
  ///
  /// - Parameters:
  ///   - stored: A record of the object in any layout.
  ///   - builder: A builder in the layout of the values.
  /// - Returns: The bytes of the record, valid until the builder makes the next one.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for a record that becomes larger than 4 GiB.
  package func record(
    from stored: RecordReader,
    in builder: FlatBufferBuilder
  ) throws -> UnsafeRawBufferPointer {
    try values.withUnsafeBytes { values in
      let scratch = builder.scratch
      let bytes = UnsafeRawBufferPointer(start: stored.base, count: stored.size)
      if let fixed, RecordLayout.number(of: bytes) == scratch.layout.definition.number,
        let source = values.baseAddress
      {
        return scratch.copy(stored) { copy in
          for value in fixed { Self.set(value, in: copy, to: source) }
        }
      }
      guard
        let new = RecordReader(record: values, id: stored.id, layout: scratch.layout.view)
      else { throw Self.unknown([], in: entity) }
      return try builder.record(of: entity, id: stored.id) {
        for source in sources {
          scratch.copy(propertyID: source.propertyID, from: source.isNew ? new : stored)
        }
      }
    }
  }

  /// Copies a value, which is zero if it is null, and its mark between records of one layout.
  @inline(__always)
  private static func set(
    _ value: FixedValue,
    in copy: UnsafeMutableRawPointer,
    to source: UnsafeRawPointer
  ) {
    (copy + value.offset).copyMemory(from: source + value.offset, byteCount: value.size)
    let (offset, mask) = value.presence
    let mark = source.load(fromByteOffset: offset, as: UInt8.self) & mask
    let others = copy.load(fromByteOffset: offset, as: UInt8.self) & ~mask
    copy.storeBytes(of: others | mark, toByteOffset: offset, as: UInt8.self)
  }
}
