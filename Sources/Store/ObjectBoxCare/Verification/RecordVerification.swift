internal import ObjectBox

/// Checks the bytes of an entity's records against its layouts.
struct RecordVerification {
  /// A layout in the form that the check needs.
  private struct Form {
    let layout: RecordLayout
    /// Properties with their positions; properties of variable size in the order of their values.
    let fixed: [(property: RecordLayout.Definition.Property, offset: Int, bit: Int)]
    let variable: [(property: RecordLayout.Definition.Property, bit: Int)]
    let bitCount: Int
  }

  private let forms: [Form]
  private let checksum: RecordChecksum
  private let names: [UInt32: String]

  /// Prepares the check of the records of an entity.
  ///
  /// - Parameters:
  ///   - entity: The schema, for property names.
  ///   - layouts: The layouts, by number.
  ///   - checksum: The checksums of the records.
  init(
    _ entity: EntitySchema,
    layouts: [RecordLayout.Definition],
    checksum: RecordChecksum
  ) {
    self.checksum = checksum
    forms = layouts.map { definition in
      // Includes hidden properties, whose values no longer matter: every byte counts here.
      let layout = RecordLayout(definition)
      let stored = layout.definition.properties.filter { !$0.isObjectID }
      var fixed: [(property: RecordLayout.Definition.Property, offset: Int, bit: Int)] = []
      var variable = fixed
      for (bit, property) in stored.enumerated() {
        let field = layout.fields[Int(property.id)]
        if field.kind.isVariable {
          variable.append((property, Int(field.offset), bit))
        } else {
          fixed.append((property, Int(field.offset), bit))
        }
      }
      variable.sort { $0.offset < $1.offset }
      return Form(
        layout: layout,
        fixed: fixed,
        variable: variable.map { ($0.property, $0.bit) },
        bitCount: stored.count
      )
    }
    names = Dictionary(
      entity.properties.map { ($0.identity.id, $0.name) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Returns the first fault of a record, as text that continues "the record"; nil for none.
  func fault(in record: UnsafeRawBufferPointer, id: UInt64) -> String? {
    if let fault = layoutFault(in: record) { return fault }
    return isRight(record, id: id)
      ? nil : "has a wrong checksum: it is damaged, or belongs to another object"
  }

  /// Returns whether a record's checksum is right.
  func isRight(_ record: UnsafeRawBufferPointer, id: UInt64) -> Bool {
    record.baseAddress.map { checksum.isRight($0, size: record.count, id: id) } ?? false
  }

  /// Returns the first fault of a record other than its checksum, as text that continues "the
  /// record".
  func layoutFault(in record: UnsafeRawBufferPointer) -> String? {
    guard let number = RecordLayout.number(of: record) else {
      return "has \(record.count) bytes; none has fewer than 2"
    }
    guard Int(number) < forms.count else {
      return "is of layout \(number); the entity has \(forms.count)"
    }
    let form = forms[Int(number)]
    let minimumSize = form.layout.fixedSize + RecordChecksum.size
    guard record.count >= minimumSize else {
      return "has \(record.count) bytes; none of layout \(number) has fewer than \(minimumSize)"
    }
    return fault(inValuesOf: record, count: record.count - RecordChecksum.size, form)
  }

  /// Returns the first fault in the first `count` bytes of a record, which include the fixed part.
  private func fault(
    inValuesOf record: UnsafeRawBufferPointer,
    count: Int,
    _ form: Form
  ) -> String? {
    func isPresent(_ bit: Int) -> Bool { record[2 + bit >> 3] & (1 << UInt8(bit & 7)) != 0 }
    let spareBits = form.bitCount & 7
    if spareBits != 0, record[2 + form.bitCount >> 3] >> UInt8(spareBits) != 0 {
      return "marks a value of a property that its layout lacks"
    }
    for (property, offset, bit) in form.fixed where property.type == .bool && isPresent(bit) {
      if record[offset] > 1 { return "has \(record[offset]) for the Boolean \(name(property))" }
    }
    var start = form.layout.fixedSize
    for (index, (property, bit)) in form.variable.enumerated() {
      let place = form.layout.endsOffset + 4 * index
      let end = Int(
        UInt32(littleEndian: record.loadUnaligned(fromByteOffset: place, as: UInt32.self))
      )
      guard end >= start, end <= count else {
        return "has \(name(property)) from byte \(start) to \(end), and \(count) bytes"
      }
      let value = UnsafeRawBufferPointer(rebasing: record[start..<end])
      if !isPresent(bit) {
        if !value.isEmpty { return "has bytes for \(name(property)), which is null" }
      } else if let fault = Self.fault(in: value, type: property.type) {
        return "has \(name(property)), which \(fault)"
      }
      start = end
    }
    return start == count
      ? nil : "has \(count) bytes, and its values end at byte \(start)"
  }

  private func name(_ property: RecordLayout.Definition.Property) -> String {
    names[property.id].map { "'\($0)'" } ?? "property \(property.id)"
  }

  private static func fault(in value: UnsafeRawBufferPointer, type: PropertyType) -> String? {
    switch type {
    case .string: isText(value) ? nil : "is no UTF-8"
    case .stringVector: hasStrings(value) ? nil : "is no list of texts"
    case .intVector, .floatVector:
      value.count % 4 == 0 ? nil : "has \(value.count) bytes for numbers of 4"
    case .longVector: value.count % 8 == 0 ? nil : "has \(value.count) bytes for numbers of 8"
    default: nil
    }
  }

  private static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // Fast path: most texts are plain ASCII.
    if bytes.allSatisfy({ $0 < 0x80 }) { return true }
    return String(validating: bytes, as: UTF8.self) != nil
  }

  private static func hasStrings(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 4 else { return false }
    let count = Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
    var (found, size, isText) = (0, 4 * (count + 1), true)
    _ = VectorCodec.anyString(in: bytes) { text in
      found += 1
      size += text.count
      isText = isText && Self.isText(text)
      return false
    }
    return found == count && size == bytes.count && isText
  }
}
