internal import ObjectBoxSyncProtocol

extension StoredDevice {
  var models: DeviceModels? {
    get throws { try table.read(SyncKey(.models), in: storage) }
  }

  /// The properties whose values the device has not received.
  ///
  /// They are in a separate row, since updates look for them, and that row is mostly missing.
  var unreceived: [EntityUID: Set<PropertyUID>] {
    get throws {
      let parts = try table.read(SyncKey(.unreceived), in: storage, as: ModelParts.self)
      return parts?.entities.mapValues(\.properties) ?? [:]
    }
  }

  func setModels(_ models: DeviceModels) throws {
    try table.set(models, at: SyncKey(.models), in: storage)
    var parts = ModelParts()
    for (entity, properties) in models.unreceived {
      parts[entity] = ModelParts.Entity(properties: properties, relations: [])
    }
    if parts.entities.isEmpty {
      try table.remove(SyncKey(.unreceived), in: storage)
    } else {
      try table.set(parts, at: SyncKey(.unreceived), in: storage)
    }
  }
}
