/// The first message of a device.
package struct Hello: Hashable, Sendable {
  /// The version of the messages.
  package let version: UInt32
  /// The device.
  package let device: DeviceIdentity
  /// The user's credentials.
  package let credentials: Credentials
  /// The wall clock, in milliseconds since 1970.
  package let clock: Int64
  /// The synchronized entities of the device's model.
  package let model: [EntityDescription]

  /// The version of the messages that this module writes and reads.
  package static let currentVersion: UInt32 = 3

  /// Creates a message.
  package init(
    version: UInt32 = Self.currentVersion,
    device: DeviceIdentity,
    credentials: Credentials,
    clock: Int64,
    model: [EntityDescription]
  ) {
    self.version = version
    self.device = device
    self.credentials = credentials
    self.clock = clock
    self.model = model
  }
}

/// The proof of a user's identity.
package enum Credentials: Hashable, Sendable {
  /// Nothing.
  case none
  /// Bytes that the server knows too.
  case sharedSecret([UInt8])
  /// A name and a password.
  case user(name: String, password: String)
  /// A signed JSON Web Token.
  case token(String)
}

/// A synchronized entity in a model.
package struct EntityDescription: Hashable, Sendable {
  /// The entity.
  package let entity: EntityUID
  /// The properties, with the numbers of their types in the model.
  package let properties: [PropertyDescription]
  /// The standalone relations.
  package let relations: [PropertyUID]
  /// The flags in the model that choose how conflicts are decided.
  package let conflictFlags: UInt32

  /// Creates the description of an entity.
  package init(
    entity: EntityUID,
    properties: [PropertyDescription],
    relations: [PropertyUID],
    conflictFlags: UInt32 = 0
  ) {
    self.entity = entity
    self.properties = properties
    self.relations = relations
    self.conflictFlags = conflictFlags
  }
}

/// A property in a model.
package struct PropertyDescription: Hashable, Sendable {
  /// The property.
  package let property: PropertyUID
  /// The number of its type in the model.
  package let type: UInt32
  /// The flags in the model that choose how conflicts are decided.
  package let conflictFlags: UInt32

  /// Creates the description of a property.
  package init(property: PropertyUID, type: UInt32, conflictFlags: UInt32 = 0) {
    self.property = property
    self.type = type
    self.conflictFlags = conflictFlags
  }
}
