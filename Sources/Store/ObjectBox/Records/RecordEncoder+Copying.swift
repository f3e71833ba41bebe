extension RecordEncoder {
  /// Copies the value of a property from a record of any layout; null stays null.
  package func copy(propertyID: UInt32, from record: RecordReader) {
    let field = field(propertyID: propertyID)
    let old = record.field(propertyID: propertyID)
    if let bytes = record.bytes(old) {
      assign(chunk: append(bytes), to: field, propertyID: propertyID)
    } else if let size = old.kind.fixedSize, old.kind == field.kind, record.isPresent(old) {
      (base + Int(field.offset)).copyMemory(from: record.base + Int(old.offset), byteCount: size)
      markPresent(field)
    }
  }
}
