/// The positions of all properties in records of one version of the schema.
///
/// A record consists of: the number of its layout (2 bytes), a bit for each property that is 1 if
/// there is a value, the fixed-size values, the ends of the variable values (4 bytes each, counted
/// from the record's start), the variable values, and in files a checksum, which readers ignore. All
/// numbers are little-endian, and nothing is aligned. The object ID is the key of the record and not
/// in it.
///
/// Layouts are stored with the schema and never change, so a record stays readable when properties
/// are added or removed.
///
/// It owns the table of fields that readers point into, so it must outlive them.
package final class RecordLayout: Sendable {
  /// The part of a layout that a reader needs; it has no references, so copying it is cheap.
  package struct View {
    var fields: UnsafePointer<RecordField>
    var fieldCount: Int
    var fixedSize: Int
  }

  /// The part of a layout that is stored in the file.
  package struct Definition: Hashable, Sendable {
    package struct Property: Hashable, Sendable {
      package var id: UInt32
      var uid: UInt64
      package var type: PropertyType
      package var isObjectID: Bool
    }

    package var number: UInt16
    /// Sorted by ID.
    package var properties: [Property]

    package init(number: UInt16, properties: [Property]) {
      self.number = number
      self.properties = properties
    }

    package init(number: UInt16, entity: EntitySchema) {
      self.number = number
      properties = entity.properties.map {
        Property(
          id: $0.identity.id,
          uid: $0.identity.uid,
          type: $0.type,
          isObjectID: $0.has(.id)
        )
      }.sorted { $0.id < $1.id }
    }

    /// The size in bytes of a record in which every property is null.
    var minimumRecordSize: Int {
      var (count, size) = (0, 2)
      for property in properties where !property.isObjectID {
        count += 1
        size += RecordField.Kind(type: property.type).fixedSize ?? 4
      }
      return size + (count + 7) / 8
    }
  }

  package let definition: Definition
  /// The size in bytes of everything before the variable values.
  package let fixedSize: Int
  let variableCount: Int
  /// The offset of the first stored end of a variable value.
  package let endsOffset: Int
  let fieldCount: Int
  /// The checksums at the ends of the records; nil for objects that are not in a file.
  let checksum: RecordChecksum?
  // Safe: only `init` writes it, and `deinit` frees it. Keep the layout as long as the pointer.
  nonisolated(unsafe) package let fields: UnsafePointer<RecordField>

  /// Makes a layout.
  ///
  /// - Parameters:
  ///   - definition: The layout in the store file.
  ///   - hidden: IDs of properties that read as null, because the stored values belong to former
  ///     properties with the same IDs.
  ///   - checksum: The checksums of the records; nil for objects that are not in a file.
  package init(
    _ definition: Definition,
    hiding hidden: Set<UInt32> = [],
    checksum: RecordChecksum? = nil
  ) {
    self.definition = definition
    self.checksum = checksum
    let stored = definition.properties.filter { !$0.isObjectID }
    fieldCount = Int(definition.properties.map(\.id).max() ?? 0) + 1
    let table = UnsafeMutablePointer<RecordField>.allocate(capacity: fieldCount)
    table.initialize(repeating: .absent, count: fieldCount)

    var presenceBits = [UInt16](repeating: 0, count: fieldCount)
    for (bit, property) in stored.enumerated() { presenceBits[Int(property.id)] = UInt16(bit) }
    var offset = 2 + (stored.count + 7) / 8
    func place(_ property: Definition.Property, _ kind: RecordField.Kind, size: Int) {
      table[Int(property.id)] = RecordField(
        kind: kind,
        offset: UInt16(offset),
        presenceBit: presenceBits[Int(property.id)]
      )
      offset += size
    }
    for property in stored {
      let kind = RecordField.Kind(type: property.type)
      if let size = kind.fixedSize { place(property, kind, size: size) }
    }
    endsOffset = offset
    // First strings, then bytes, then vectors: the order in which generated code prepares them.
    let variable = stored.filter { RecordField.Kind(type: $0.type).isVariable }
      .sorted { ($0.type.variableRank, $0.id) < ($1.type.variableRank, $1.id) }
    for (index, property) in variable.enumerated() {
      place(property, index == 0 ? .firstVariable : .variable, size: 4)
    }
    for property in definition.properties where property.isObjectID {
      table[Int(property.id)] = RecordField(kind: .objectID, offset: 0, presenceBit: 0)
    }
    for id in hidden { table[Int(id)] = .absent }
    fixedSize = offset
    variableCount = variable.count
    fields = UnsafePointer(table)
  }

  /// Makes a layout for objects of an entity that are not in the file.
  package convenience init(of entity: EntitySchema) {
    self.init(Definition(number: 1, entity: entity))
  }

  deinit {
    fields.deallocate()
  }

  /// Returns the field of a property; `absent` when the layout lacks it.
  package func field(propertyID id: UInt32) -> RecordField {
    Int(id) < fieldCount ? fields[Int(id)] : .absent
  }

  /// The part for readers, valid as long as the layout.
  package var view: View { View(fields: fields, fieldCount: fieldCount, fixedSize: fixedSize) }

  /// The fixed part of a record in which every property is null; the ends of variable values are 0.
  package var nullRecord: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: fixedSize)
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: definition.number.littleEndian, as: UInt16.self)
    }
    return bytes
  }

  /// The layout number in the first two bytes of a record; nil if the record is shorter.
  package static func number(of record: UnsafeRawBufferPointer) -> UInt16? {
    record.count >= 2 ? UInt16(littleEndian: record.loadUnaligned(as: UInt16.self)) : nil
  }
}

extension PropertyType {
  fileprivate var variableRank: Int {
    switch self {
    case .string: 0
    case .byteVector, .flex: 1
    default: 2
    }
  }
}
