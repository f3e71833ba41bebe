/// The request for a delta, from a device to the server.
package struct DeltaRequest: Hashable, Sendable {
  /// The device's state, which the delta must be applied to.
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

  /// Returns the device's next request, which it may send before it has taken an answer to this one.
  ///
  /// The server then reads the next delta while the device takes this one. If the device does not take
  /// it, the next delta is for a state that the device never gets, and is ignored.
  ///
  /// - Parameter delta: An answer to a request.
  /// - Returns: The request of the device that has taken the delta; nil for an answer to another request,
  ///   and for one with decisions, which a request confirms: the server may forget them, so the device
  ///   must have stored them.
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

/// The key of everything that a device has received.
///
/// Each delta and each new identity gives another key.
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
