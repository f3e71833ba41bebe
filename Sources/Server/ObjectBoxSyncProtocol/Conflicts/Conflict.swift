/// An update of an object that others have changed since the device saw it.
package struct Conflict: Hashable, Sendable {
  /// Decides a conflict: returns the values that the object gets.
  ///
  /// Properties without a value, and counters, stay as they are. It must be a pure function, since a
  /// repeated transaction of the database calls it again.
  package typealias Resolution = @Sendable (Conflict) throws -> PropertyList<PropertyValue>

  /// The object.
  package let key: ObjectKey
  /// The values that the program saw before its write; the server's values for properties that the program's model
  /// lacks.
  package let base: PropertyList<PropertyValue>
  /// `base` with the values of the update.
  package let mine: PropertyList<PropertyValue>
  /// The server's values.
  package let theirs: PropertyList<PropertyValue>

  /// Creates a conflict.
  package init(
    key: ObjectKey,
    base: PropertyList<PropertyValue>,
    mine: PropertyList<PropertyValue>,
    theirs: PropertyList<PropertyValue>
  ) {
    self.key = key
    self.base = base
    self.mine = mine
    self.theirs = theirs
  }
}
