/// The effect of a model change on the data of a store that is opened with the new model.
///
/// The sentences describe `SchemaComparison`, `SchemaChecks` and `SchemaUpgrade` of the runtime.
package struct DataEffect: Hashable, Sendable {
  package var text: String
  /// True when the change loses data or puts it out of reach, or a store may be refused.
  package var isRisk: Bool

  private static func keeps(_ text: String) -> Self { Self(text: text, isRisk: false) }

  private static func risks(_ text: String) -> Self { Self(text: text, isRisk: true) }

  private static let refused = "a store of the old model is refused when it is opened"

  static let entityAdded = keeps(
    "an empty table is made when a store is opened; other objects stay"
  )
  static let entityRemoved = risks(
    "its objects are out of reach; stores keep them until `discardRetiredData()` is called, and a model "
      + "that has its UID finds them again"
  )
  static let entityReplaced = risks(
    "\(refused), since another entity now has its ID; restore the old entity, or use a new directory"
  )
  static let entityReset = risks(
    "its objects are out of reach, and stores keep them until `discardRetiredData()` is called; the new "
      + "entity of the same name starts empty"
  )
  static let moved = risks(
    "\(refused), since its ID there is another one with the same UID; give it back the old ID"
  )
  static let name = keeps(
    "nothing changes in a store: elements are found by ID and UID, not by name"
  )
  static let notStored = keeps("stored objects stay as they are")

  static let propertyAdded = keeps(
    "objects that are stored already have no value for it: null, or zero, false or empty in Swift "
      + "types that are not optional"
  )
  static let propertyRemoved = risks(
    "its values are out of reach; their bytes go with the next put of each object, and until then a model "
      + "that has its UID reads them again"
  )
  // The effects of a rename without the old UID; see propertyRemoved, entityRemoved and
  // relationRemoved.
  static func valuesLost(of name: String) -> Self {
    risks(
      "the stored values of '\(name)' become unreachable, and each is gone after the next put of its object"
    )
  }
  static func objectsLost(of name: String) -> Self {
    risks(
      "the stored objects of '\(name)' become unreachable, and are gone after `discardRetiredData()`"
    )
  }
  static func linksLost(of name: String) -> Self {
    risks("the stored links of '\(name)' become unreachable")
  }
  static let propertyReplaced = risks(
    "\(refused), since another property now has its ID; restore the old property"
  )
  static let propertyReset = risks(
    "its values are out of reach; the new property of the same name starts without values"
  )
  static let propertyMoved = risks(
    "its values can no longer be read, since they are stored under the old ID; give it back the old ID"
  )
  static let propertyMigrated = keeps(
    "opening a store fills it from the values of the old property, by the function of the migration"
  )
  static let propertyMigratedByObject = keeps(
    "opening a store fills it by the function `migrate`, which runs once for each stored object"
  )
  static let propertyMigratedAway = keeps(
    "opening a store makes the values of the new property from its values; their bytes go with the next "
      + "put of each object"
  )
  static let migrationAdded = keeps(
    "only stores without the property are migrated; in other stores objects stay as they are"
  )
  static let migrationRemoved = risks(
    "stores that were not opened since the property was new get no values for it; remove the annotation "
      + "when all stores have been migrated"
  )
  static let sameBytes = keeps("stored values stay, since both types mean the same bytes")
  static let retyped = risks(
    "\(refused), since the stored bytes mean another type; to keep the values, annotate the "
      + "property with `migratedFrom` and the name of the old one; else restore the type, or reset the "
      + "property with a bare `uid` annotation, which drops its values"
  )
  static let widened = risks("\(retyped.text); a cluster rewrites its table and keeps the values")
  static let typeFromProgram = risks(
    "the model leaves one of the types to the program: a store opens when the stored bytes mean the "
      + "same, and is refused otherwise"
  )
  static let idChanged = risks(
    "\(refused), since a property cannot begin or cease to be the ID; restore it"
  )
  static let sign = risks(
    "the stored bits stay, and values beyond the range of the other type read as other numbers"
  )
  static let signIndexed = risks(sign.text + "; its index is built anew when a store is opened")
  /// The effect of the key that older models of optional unsigned numbers lack.
  static let signStated = keeps(
    "the stored bits stay; conditions, orders and groups now read them as unsigned, as the program does, "
      + "and an index is built anew when a store is opened"
  )
  /// The effect of the flag in place of the key, or of the key in place of the flag.
  static let signRestated = keeps("the stored bits stay, and so does their sign")

  /// True if a model without the change gives the same bindings.
  var isOfModelOnly: Bool { self == .signStated || self == .signRestated }

  static let toOneTarget = risks(
    "\(refused), since its stored IDs would stand for objects of the other entity; restore the target, "
      + "or reset the relation with a bare `uid` annotation, which drops its IDs"
  )

  static let indexAdded = keeps(
    "the index is filled from the stored objects when a store is opened; objects stay"
  )
  static let indexRemoved = keeps("the index is dropped when a store is opened; objects stay")
  static let indexRebuilt = keeps(
    "the index is dropped and built anew from the stored objects when a store is opened"
  )
  static let uniqueAdded = risks(
    "a store in which two objects share a value is refused when it is opened, and stays as it was; "
      + "make the values unique before"
  )
  static let uniqueRemoved = keeps(
    "its index is built anew without the constraint when a store is opened; objects stay"
  )
  static let uniqueDropped = keeps("the constraint ends with its index; objects stay")
  static let conflictRule = keeps("stored objects stay; later puts follow the new rule")

  static let deleteRule = keeps("stored objects stay; later removals follow the new rule")

  static let relationAdded = keeps("stored objects stay; the relation starts without links")
  static let relationRemoved = risks(
    "its links can no longer be reached; the objects of both sides stay"
  )
  static let relationMoved = risks("its links are those of the old ID; give it back the old ID")
  static let relationTarget = risks(
    "\(refused), since its stored links would stand for objects of the other entity; restore the "
      + "target, or reset the relation with a bare `uid` annotation, which drops its links"
  )
  static let lastLowered = risks(
    "\(refused), since it was written with IDs that the new model does not know; restore the last ID"
  )
}
