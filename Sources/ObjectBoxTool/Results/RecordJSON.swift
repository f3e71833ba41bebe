internal import ObjectBox
internal import ObjectBoxJSON

/// Writes objects as JSON: members in the order of the properties, like dumps, without nulls.
struct RecordJSON {
  private let properties: [(property: PropertySchema, form: ValueForm)]

  init(_ properties: [PropertySchema]) {
    self.properties = properties.map { ($0, ValueForm($0)) }
  }

  func write(_ record: RecordReader, to writer: inout JSONWriter) {
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
      } else {
        writer.value(stored, as: form)
      }
    }
    writer.raw("}")
  }
}
