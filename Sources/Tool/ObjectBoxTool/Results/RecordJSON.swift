internal import ObjectBox
internal import ObjectBoxJSON

/// Writes objects as JSON: members in the order of the properties, like dumps, without nulls.
struct RecordJSON {
  private let properties: [(property: PropertySchema, form: ValueForm)]

  init(_ properties: [PropertySchema]) {
    self.properties = properties.map { ($0, ValueForm($0)) }
  }

  /// Writes an object; a body returns a text in place of a property's value, or nil.
  func write(
    _ record: RecordReader,
    to writer: inout JSONWriter,
    replacing text: (PropertySchema) -> String? = { _ in nil }
  ) {
    writer.raw("{")
    var isFirst = true
    for (property, form) in properties {
      var stored = ExactValue.null
      if !property.has(.id) {
        stored = record.exact(property)
        if case .null = stored { continue }
      }
      if !isFirst { writer.raw(",") }
      isFirst = false
      writer.key(property.name)
      if property.has(.id) {
        writer.integer(record.objectID)
      } else if let text = text(property) {
        writer.string(text)
      } else {
        writer.value(stored, as: form)
      }
    }
    writer.raw("}")
  }
}
