// Selections in a store that has only the model of the objects.

extension Selection {
  /// Adds a relation to load with the objects.
  package mutating func include<S>(_ end: RelationEnd, to type: S.Type)
  where S: Entity & EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
    inclusions.append(RelationInclusion(end, to: type))
  }
}

extension Store {
  /// Checks that a selection fits the model.
  ///
  /// - Parameters:
  ///   - selection: The condition, the orders and the relations.
  ///   - id: The ID of the entity.
  ///   - name: The name of the entity, for the message.
  /// - Throws: ``ObjectBoxError``: `propertyTypeMismatch` or `illegalArgument`, as a query would.
  package func check(_ selection: Selection, entity id: UInt32, named name: String) throws {
    guard let table = file.table(entity: id) else {
      throw ObjectBoxError.illegalArgument(
        message: "the model lacks '\(name)'; run the generator again"
      )
    }
    try selection.check(on: table, in: file)
  }

  /// Describes a selection; nil when the model lacks the entity.
  package func describe(_ selection: Selection, entity id: UInt32) -> String? {
    file.table(entity: id).map {
      QueryDescription(entity: $0.schema, selection: selection, file: file).title
    }
  }
}
