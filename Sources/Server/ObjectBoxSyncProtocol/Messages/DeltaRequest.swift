/// The request for a delta, from a device to the server.
package struct DeltaRequest: Hashable, Sendable {
  /// The device's state; the delta is applied to it.
  package let state: StateKey
  /// The server's state that the device has, or nil before the first delta.
  package let cursor: Cursor?
  /// The scopes that the device has.
  package let scopes: ScopeProgress
  /// The last transaction whose decision the device has.
  package let confirmed: UInt64

  /// Creates a request.
  package init(state: StateKey, cursor: Cursor?, scopes: ScopeProgress, confirmed: UInt64) {
    self.state = state
    self.cursor = cursor
    self.scopes = scopes
    self.confirmed = confirmed
  }

  /// Returns the device's next request, which it may send before it has applied an answer to this one.
  ///
  /// The server then reads the next delta while the device applies this one. If the device does not apply it, the next
  /// delta is for a state that the device never has, and is ignored.
  ///
  /// - Parameter delta: An answer to a request.
  /// - Returns: The request of a device that has applied the delta. Nil for an answer to another request, and for a
  ///   delta with decisions: a request confirms them, and the server may then delete them, so the device must have
  ///   stored them before.
  package func following(_ delta: Delta) -> DeltaRequest? {
    guard delta.state == state, delta.decisions.isEmpty else { return nil }
    var next = DeviceState(device: state.device)
    next.edition = state.edition
    next.confirmed = confirmed
    next.scopes = delta.scopes
    next.cursor = delta.cursor
    return DeltaRequest(
      state: StateKey(device: state.device, edition: next.nextEdition),
      cursor: delta.cursor,
      scopes: delta.scopes,
      confirmed: confirmed
    )
  }
}

/// The key of a device's received state.
///
/// Each delta and each new identity changes it.
package struct StateKey: Hashable, Sendable {
  /// The device.
  package let device: DeviceIdentity
  /// A hash over all deltas so far.
  package let edition: UInt64

  /// Creates a key.
  package init(device: DeviceIdentity, edition: UInt64) {
    self.device = device
    self.edition = edition
  }
}
