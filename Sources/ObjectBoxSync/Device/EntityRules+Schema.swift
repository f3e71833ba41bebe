package import ObjectBox
package import ObjectBoxSyncProtocol

extension EntityRules {
  /// Returns the conflict rules that an entity's flags ask for.
  ///
  /// A clock compares whole objects. A unique value that another object has rejects the write,
  /// unless the property says `onConflict: replace`.
  package init(_ schema: EntitySchema) {
    self.init()
    func uid(_ property: PropertySchema) -> PropertyUID { PropertyUID(property.identity.uid) }
    for property in schema.properties {
      if property.has(.syncClock) { mode = .objectClock }
      if property.has(.syncPrecedence) { precedence = uid(property) }
      if property.has(.uniqueOnConflictReplace) {
        uniques.append(UniqueConstraint([uid(property)], rule: .replace))
      } else if property.has(.unique) {
        uniques.append(UniqueConstraint([uid(property)], rule: .reject))
      }
    }
    for index in schema.compoundIndexes where index.isUnique {
      let properties = index.propertyIDs.compactMap { id in
        schema.properties.first { $0.identity.id == id }.map(uid)
      }
      uniques.append(UniqueConstraint(properties, rule: .reject))
    }
  }
}
