internal import ObjectBox

/// A record's values as column values in PostgreSQL's binary form.
extension ClusterTable {
  /// Checks that PostgreSQL can hold a record's values.
  ///
  /// - Parameter record: The record of an object.
  /// - Throws: `ObjectBoxError.illegalArgument`, which names entity, property and reason, but not
  ///   the value.
  func check(_ record: RecordReader) throws {
    for (form, index) in checkedForms {
      guard let fault = form.fault(of: record) else { continue }
      throw ObjectBoxError.illegalArgument(
        message:
          "cannot put '\(schema.name)' with ID \(record.id): its '\(columns[index].property.name)' \(fault)"
      )
    }
  }
}

extension Column {
  /// Returns the case-folded UTF-8 of a text, as the embedded store compares texts.
  static func folded(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { FoldedText.bytes(of: UnsafeRawBufferPointer($0)) }
  }
}

extension [UInt8] {
  /// Appends an array of texts.
  mutating func appendTexts(_ texts: [[UInt8]]) {
    appendArrayHeader(of: PostgresType.text, count: texts.count)
    for text in texts {
      append(bigEndian: Int32(text.count))
      append(contentsOf: text)
    }
  }
}
