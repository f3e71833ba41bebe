/// The models that a device's rows depend on.
///
/// An updated program can have properties for which the device's rows have no values yet. An updated server can have
/// properties for which it never got values.
package struct DeviceModels: Hashable, Sendable {
  /// The model of the device's program.
  package internal(set) var own: ModelParts
  /// The parts that the server shared at the last login; nil before the first one.
  package internal(set) var shared: ModelParts?
  /// The parts with which the device received the server's rows, for entities that were shared once.
  package internal(set) var received: ModelParts

  /// Creates the models of a program before its first login.
  package init(own: ModelParts) {
    self.init(own: own, shared: nil, received: ModelParts())
  }

  /// Creates models.
  package init(own: ModelParts, shared: ModelParts?, received: ModelParts) {
    self.own = own
    self.shared = shared
    self.received = received
  }

  /// The properties of the program's model whose values the device has not received, by entity.
  ///
  /// Leaves out entities without such properties and entities without rows of the server.
  package var unreceived: [EntityUID: Set<PropertyUID>] {
    guard ProtocolRule.unreceivedProperties.holds else { return [:] }
    var result: [EntityUID: Set<PropertyUID>] = [:]
    for (entity, parts) in own.entities {
      guard let known = received[entity] else { continue }
      let missing = parts.properties.subtracting(known.properties)
      if !missing.isEmpty { result[entity] = missing }
    }
    return result
  }

  /// Sets the model of a program that has opened the store; received rows lose the parts that it lacks.
  mutating func open(_ model: ModelParts) {
    own = model
    for (entity, parts) in received.entities {
      if let other = model[entity] { received[entity] = parts.intersection(other) }
    }
  }

  /// Sets the shared parts of a login.
  ///
  /// - Returns: True if the device lacks values of shared parts.
  mutating func begin(_ new: ModelParts) -> Bool {
    // The next deltas lack parts that are not shared now.
    for (entity, parts) in received.entities {
      if let other = new[entity] { received[entity] = parts.intersection(other) }
    }
    shared = new
    return new.entities.contains { entity, parts in
      received[entity].map { !parts.isPart(of: $0) } ?? false
    }
  }

  /// Records that the device has all rows with the shared parts.
  mutating func receiveAll() {
    for (entity, parts) in shared?.entities ?? [:] { received[entity] = parts }
  }
}
