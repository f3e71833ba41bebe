internal import ObjectBox

/// An entity and the forms of its properties, for the lines of a dump.
struct DumpEntity {
  struct Field {
    var property: PropertySchema
    var form: ValueForm
  }

  let index: Int
  let schema: EntitySchema
  /// The key of the ID: the name of the ID property.
  let idKey: String
  /// The other properties, in the order of their IDs.
  let fields: [Field]

  init(_ schema: EntitySchema, index: Int) {
    self.schema = schema
    self.index = index
    // A hand-written model may lack an ID property; no property can have this name.
    idKey = schema.idProperty?.name ?? "$id"
    fields = schema.properties.filter { !$0.has(.id) }.map {
      Field(property: $0, form: ValueForm($0))
    }
  }

  var name: String { schema.name }
}
