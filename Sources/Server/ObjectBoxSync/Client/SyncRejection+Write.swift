public import ObjectBox
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

extension SyncRejection {
  /// One write of the transaction, as the device sent it.
  public struct Write: Sendable {
    /// The kind of write.
    public enum Kind: String, Hashable, Sendable {
      /// A new object with all its values.
      case insert
      /// New values of properties.
      case update
      /// A number that was added to a counter.
      case increment
      /// The removal of an object.
      case remove
      /// A new target of a standalone relation.
      case relate
      /// A removed target of a standalone relation.
      case unrelate
    }

    /// The kind of write.
    public let kind: Kind
    /// The name of the entity; empty for one that this store's model lacks.
    public let entity: String
    /// The ID that the object had on this device.
    public let id: Id
    /// The names of the written properties, or of the relation.
    public let properties: [String]
    /// The written values by property name, without null.
    ///
    /// They have the types of `DynamicObject`. IDs of targets are `UInt64`.
    public let values: [String: any Sendable]

    init(_ operation: Operation, _ model: SyncedModel) throws {
      let written = WrittenValues(operation)
      kind = written.kind
      id = operation.key.id
      guard let entity = model[operation.key.entity] else {
        self.entity = ""
        properties = []
        values = [:]
        return
      }
      self.entity = entity.table.name
      if let (uid, target) = written.pair {
        let name = entity.table.schema.relations.first { $0.identity.uid == uid.value }?.title
        properties = name.map { [$0] } ?? []
        values = name.map { [$0: target] } ?? [:]
        return
      }
      properties = entity.properties.filter { written.list[$0.uid] != nil }.map(\.schema.name)
      values = try entity.programValues(of: written.list)
    }
  }
}

/// The content of an operation.
private struct WrittenValues {
  let kind: SyncRejection.Write.Kind
  var list = PropertyList<PropertyValue>()
  /// The relation, and the ID of its target.
  var pair: (PropertyUID, UInt64)?

  init(_ operation: Operation) {
    switch operation {
    case .insert(_, let values, _):
      kind = .insert
      list = values
    case .update(_, let values, _):
      kind = .update
      list = values
    case .increment(_, let property, let difference):
      kind = .increment
      list[property] = .integer(difference)
    case .delete: kind = .remove
    case .addPair(_, let relation, let target):
      kind = .relate
      pair = (relation, target.key.id)
    case .removePair(_, let relation, let target, _):
      kind = .unrelate
      pair = (relation, target.key.id)
    }
  }
}

extension SyncedEntity {
  /// Returns the values in the types of programs by property name, without null.
  ///
  /// - Throws: `ObjectBoxError` for values of other types than the store's model has.
  fileprivate func programValues(
    of list: PropertyList<PropertyValue>
  ) throws -> [String: any Sendable] {
    let builder = FlatBufferBuilder(layout: table.records.currentLayout)
    let record = try builder.record(of: table.schema, id: 0, keeping: nil) { set in
      for property in properties {
        guard var value = list[property.uid] else { continue }
        if case .target(let target) = value {
          value = .integer(Int64(bitPattern: target.key.id))
        }
        _ = property.schema.set(syncValue: value, set)
      }
    }
    let reader = try table.records.reader(record, id: 0)
    var values: [String: any Sendable] = [:]
    for property in properties where list[property.uid] != nil {
      values[property.schema.name] = property.schema.value(in: reader)
    }
    return values
  }
}
