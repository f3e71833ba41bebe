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

  /// Returns the device's next request, which it may send before it has taken an answer to this one.
  ///
  /// The hub then reads the next cut while the device takes this one. If the device does not take
  /// it, the next cut is for a state that the device never gets, and is ignored.
  ///
  /// - Parameter cut: An answer to a request.
  /// - Returns: The request of the device that has taken the cut; nil for an answer to another request,
  ///   and for one with verdicts, which a request confirms: the hub may forget them, so the device
  ///   must have stored them.
  package func following(_ cut: Cut) -> Want? {
    guard cut.state == state, cut.verdicts.isEmpty else { return nil }
    var next = DeviceState(device: state.device)
    next.edition = state.edition
    next.confirmed = confirmed
    next.scopes = cut.scopes
    next.cursor = cut.cursor
    return Want(
      state: StateKey(device: state.device, edition: next.nextEdition),
      cursor: cut.cursor,
      scopes: cut.scopes,
      confirmed: confirmed
    )
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
