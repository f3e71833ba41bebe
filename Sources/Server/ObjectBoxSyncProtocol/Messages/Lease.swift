/// A request for IDs, from a device to the server.
package struct Lend: Hashable, Sendable {
  /// The device.
  package let device: DeviceIdentity
  /// The entity whose IDs are needed.
  package let entity: EntityUID

  /// Creates a request.
  package init(device: DeviceIdentity, entity: EntityUID) {
    self.device = device
    self.entity = entity
  }
}

/// A block of IDs for a device.
package struct Lease: Hashable, Sendable {
  /// The device.
  package let device: DeviceIdentity
  /// The IDs.
  package let block: IDBlock

  /// Creates a lease.
  package init(device: DeviceIdentity, block: IDBlock) {
    self.device = device
    self.block = block
  }
}

/// Consecutive IDs of one entity.
package struct IDBlock: Hashable, Sendable {
  /// Leased IDs are lower; devices without a lease take IDs of random blocks above.
  package static let leasedLimit: UInt64 = 1 << 40

  /// The entity.
  package let entity: EntityUID
  /// The IDs, each at least 1.
  package var ids: Range<UInt64>

  /// Creates a block.
  package init(entity: EntityUID, ids: Range<UInt64>) {
    self.entity = entity
    self.ids = ids
  }
}
