/// Changes records without a binding.
enum RecordEdit {
  /// Makes a value of fixed size null, in a copy of a record.
  static func clear(_ field: RecordField, in record: UnsafeMutableRawBufferPointer) {
    guard let size = field.kind.fixedSize else { return }
    let byte = 2 + Int(field.presenceBit >> 3)
    record[byte] &= ~(1 << UInt8(truncatingIfNeeded: field.presenceBit & 7))
    for offset in Int(field.offset)..<(Int(field.offset) + size) { record[offset] = 0 }
  }

  /// Sets the target of a to-one relation, which has a value, in a copy of a record.
  static func set(
    target id: UInt64,
    _ field: RecordField,
    in record: UnsafeMutableRawBufferPointer
  ) {
    guard field.kind.fixedSize == 8 else { return }
    record.storeBytes(of: id.littleEndian, toByteOffset: Int(field.offset), as: UInt64.self)
  }
}
