internal import ObjectBox

/// The values of a record as those of a column, in PostgreSQL's binary form.
extension ClusterTable {
  /// Checks that the server can hold the values of a record.
  ///
  /// - Parameter record: The record of an object.
  /// - Throws: `ObjectBoxError.illegalArgument`, which names entity, property and reason, and not the value.
  func check(_ record: FlatBufferReader) throws {
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
  /// Returns the UTF-8 of a text with upper and lower case made the same, as the embedded store compares.
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
