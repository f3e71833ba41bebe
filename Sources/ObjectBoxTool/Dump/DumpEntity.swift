internal import ObjectBox

/// An entity with the forms of its properties, as the lines of a dump need them.
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
    // An entity that was described by hand may have no ID property, and no property has such a name.
    idKey = schema.idProperty?.name ?? "$id"
    fields = schema.properties.filter { !$0.has(.id) }.map {
      Field(property: $0, form: ValueForm($0))
    }
  }

  var name: String { schema.name }
}
