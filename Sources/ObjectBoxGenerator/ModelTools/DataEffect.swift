/// What the runtime does with stored data when it opens a store of the old model with the new one.
///
/// The sentences say what `SchemaComparison`, `SchemaChecks` and `SchemaUpgrade` of the runtime do.
enum DataEffect {
  private static let refused = "a store of the old model is refused when it is opened"

  static let entityAdded = "an empty table is made when a store is opened; other objects stay"
  static let entityRemoved =
    "all its objects and indexes are deleted when a store is opened; copy what is needed before"
  static let entityReplaced =
    "\(refused), since another entity now has its ID; restore the old entity, or use a new directory"
  static let entityReset =
    "all its objects are deleted when a store is opened; the new entity of the same name starts empty"
  static let moved =
    "\(refused), since its ID there is another one with the same UID; give it back the old ID"
  static let name = "nothing changes in a store: elements are found by ID and UID, not by name"
  static let notStored = "stored objects stay as they are"

  static let propertyAdded =
    "objects that are stored already have no value for it: null, or zero, false or empty in Swift "
    + "types that are not optional"
  static let propertyRemoved =
    "its values can no longer be read; their bytes go with the next put of each object"
  static let propertyReplaced =
    "\(refused), since another property now has its ID; restore the old property"
  static let propertyReset =
    "its values can no longer be read; the new property of the same name starts without values"
  static let propertyMoved =
    "its values can no longer be read, since they are stored under the old ID; give it back the old ID"
  static let sameBytes = "stored values stay, since both types mean the same bytes"
  static let retyped =
    "\(refused), since the stored bytes mean another type; restore the type, or reset the property "
    + "with a bare `uid` annotation, which drops its values"
  static let typeFromProgram =
    "the model leaves one of the types to the program: a store opens when the stored bytes mean the "
    + "same, and is refused otherwise"
  static let idChanged =
    "\(refused), since a property cannot begin or cease to be the ID; restore it"
  static let sign =
    "the stored bits stay, and values beyond the range of the other type read as other numbers"
  static let signIndexed = sign + "; its index is built anew when a store is opened"
  static let toOneTarget =
    "stored IDs stay, and now stand for objects of the other entity; set them anew"

  static let indexAdded =
    "the index is filled from the stored objects when a store is opened; objects stay"
  static let indexRemoved = "the index is dropped when a store is opened; objects stay"
  static let indexRebuilt =
    "the index is dropped and built anew from the stored objects when a store is opened"
  static let uniqueAdded =
    "a store in which two objects share a value is refused when it is opened, and stays as it was; "
    + "make the values unique before"
  static let uniqueRemoved =
    "its index is built anew without the constraint when a store is opened; objects stay"
  static let uniqueDropped = "the constraint ends with its index; objects stay"
  static let conflictRule = "stored objects stay; later puts follow the new rule"

  static let deleteRule = "stored objects stay; later removals follow the new rule"

  static let relationAdded = "stored objects stay; the relation starts without links"
  static let relationRemoved = "its links can no longer be reached; the objects of both sides stay"
  static let relationMoved = "its links are those of the old ID; give it back the old ID"
  static let relationTarget =
    "stored links stay, and now stand for objects of the other entity; set them anew"
  static let lastLowered =
    "\(refused), since it was written with IDs that the new model does not know; restore the last ID"
}
