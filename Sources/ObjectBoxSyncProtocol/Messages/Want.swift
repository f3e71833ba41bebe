/// The request for a cut, from a device to the hub.
package struct Want: Hashable, Sendable {
  /// The device's state, which the cut must be applied to.
  package let state: StateKey
  /// The hub's state that the device has, or nil before the first cut.
  package let cursor: Cursor?
  /// The scopes that the device has.
  package let scopes: ScopeMarks
  /// The last transaction whose verdict the device has.
  package let confirmed: UInt64

  /// Creates a request.
  package init(state: StateKey, cursor: Cursor?, scopes: ScopeMarks, confirmed: UInt64) {
    self.state = state
    self.cursor = cursor
    self.scopes = scopes
    self.confirmed = confirmed
  }
}

/// The key of everything that a device has received.
///
/// Each cut and each new identity gives another key.
package struct StateKey: Hashable, Sendable {
  /// The device.
  package let device: DeviceIdentity
  /// A hash over all cuts so far.
  package let edition: UInt64

  /// Creates a key.
  package init(device: DeviceIdentity, edition: UInt64) {
    self.device = device
    self.edition = edition
  }
}
