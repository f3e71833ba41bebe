/// One change of one object in a transaction.
package enum Operation: Hashable, Sendable {
  /// The origin of an inserted object's ID.
  package enum IDOrigin: Hashable, Sendable {
    /// The ID was assigned from a lease or a random block. A taken ID is renumbered.
    case assigned
    /// The program chose the ID. If it is taken, the insert updates all properties of the object.
    case chosen
  }

  /// Inserts an object with all its values.
  case insert(ObjectKey, PropertyList<PropertyValue>, IDOrigin)
  /// Sets properties other than counters; in the mode ``ConflictMode/objectClock`` all of them.
  ///
  /// `base` has the values that the program saw before the write, of all properties that the device has received. It is
  /// nil for entities without ``EntityRules/sendsBase``, and from devices that do not know that rule.
  case update(
    ObjectReference,
    PropertyList<PropertyValue>,
    base: PropertyList<PropertyValue>? = nil
  )
  /// Adds a difference to a counter.
  case increment(ObjectReference, PropertyUID, by: Int64)
  /// Removes an object.
  case delete(ObjectReference)
  /// Adds a pair of a standalone relation from the first object to the second.
  case addPair(ObjectReference, PropertyUID, ObjectReference)
  /// Removes a pair that was added by the transaction `seen`.
  case removePair(ObjectReference, PropertyUID, ObjectReference, seen: TransactionToken)

  /// The key of the changed object as the device sees it.
  package var key: ObjectKey {
    switch self {
    case .insert(let key, _, _): key
    case .update(let object, _, _), .increment(let object, _, _), .delete(let object),
      .addPair(let object, _, _), .removePair(let object, _, _, _):
      object.key
    }
  }

  /// The number of values that count as one operation.
  package static let valuesInWeight = 16

  /// The operation's count in limits: one for each begun ``valuesInWeight`` values.
  package var weight: Int { max(1, (valueCount + Self.valuesInWeight - 1) / Self.valuesInWeight) }

  /// The number of values, including the base.
  package var valueCount: Int {
    switch self {
    case .insert(_, let values, _): values.elements.count
    case .update(_, let values, let base): values.elements.count + (base?.elements.count ?? 0)
    case .increment, .delete, .addPair, .removePair: 0
    }
  }

  /// Returns the operation with all references replaced, including those in values and in the base.
  package func mapReferences(_ map: (ObjectReference) -> ObjectReference) -> Self {
    func mapped(_ values: PropertyList<PropertyValue>) -> PropertyList<PropertyValue> {
      var result = values
      for element in values.elements {
        if case .target(let target) = element.value {
          result[element.property] = .target(map(target))
        }
      }
      return result
    }
    return switch self {
    case .insert(let key, let values, let origin): .insert(key, mapped(values), origin)
    case .update(let object, let values, let base):
      .update(map(object), mapped(values), base: base.map(mapped))
    case .increment(let object, let property, let difference):
      .increment(map(object), property, by: difference)
    case .delete(let object): .delete(map(object))
    case .addPair(let object, let relation, let target):
      .addPair(map(object), relation, map(target))
    case .removePair(let object, let relation, let target, let seen):
      .removePair(map(object), relation, map(target), seen: seen)
    }
  }
}
