internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// The entities and properties that a device and the server both know.
struct SharedModel: Sendable {
  /// The parts that both know.
  let entities: [EntityDescription]
  private let parts: ModelParts
  /// True if rows need no reduction.
  private let isComplete: Bool

  /// Compares the models.
  ///
  /// - Parameters:
  ///   - device: The device's model.
  ///   - serverLog: The server log, with the server's model.
  /// - Throws: ``Refused`` for a property that has another type on the device.
  init(_ device: [EntityDescription], _ serverLog: ServerLog) throws {
    var entities: [EntityDescription] = []
    var isComplete = true
    for own in serverLog.entities.map({ EntityDescription($0.table.schema) }) {
      guard let other = device.first(where: { $0.entity == own.entity }) else { continue }
      var shared: [PropertyDescription] = []
      for property in own.properties {
        guard let same = other.properties.first(where: { $0.property == property.property }) else {
          isComplete = false
          continue
        }
        guard same.type == property.type else {
          throw Refused(
            .model,
            "the property with UID \(property.property.value) of the entity with UID \(own.entity.value) has the type "
              + "\(same.type) on the device and \(property.type) on the server; use one model.json for both"
          )
        }
        shared.append(property)
      }
      let relations = own.relations.filter(other.relations.contains)
      if relations.count < own.relations.count { isComplete = false }
      entities.append(
        EntityDescription(
          entity: own.entity,
          properties: shared,
          relations: relations,
          conflictFlags: own.conflictFlags
        )
      )
    }
    self.entities = entities
    self.isComplete = isComplete
    parts = ModelParts(entities)
  }

  /// Throws if an operation has more values than its entity has properties.
  ///
  /// The search for a value takes time in proportion to the number of values. Devices send no value that the server
  /// does not know.
  ///
  /// - Throws: ``Refused``.
  func check(_ upload: Upload) throws {
    for operation in upload.transactions.lazy.flatMap(\.operations) {
      let most = parts[operation.key.entity]?.properties.count ?? 0
      // An update also has a base.
      guard operation.valueCount > 2 * most else { continue }
      throw Refused(
        .message,
        "an operation has \(operation.valueCount) values, and the entity with UID \(operation.key.entity.value) has "
          + "\(most) properties that device and server know"
      )
    }
  }

  /// Returns the sets whose objects the device can have; see ``ModelParts/known(_:)``.
  func known(_ sets: [LinkedScope]) -> [LinkedScope] { parts.known(sets) }

  /// Returns a row without the properties and relations that the device does not know.
  func reduced(_ row: Row, at key: ObjectKey) -> Row {
    isComplete ? row : parts.reduced(row, at: key)
  }

  /// Returns a delta with reduced rows.
  func reduced(_ delta: Delta) -> Delta { isComplete ? delta : parts.reduced(delta) }

  /// Returns a refinement whose part has reduced rows.
  func reduced(_ refine: Refine) -> Refine { isComplete ? refine : parts.reduced(refine) }
}
