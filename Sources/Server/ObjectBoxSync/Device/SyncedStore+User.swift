internal import ObjectBox
internal import ObjectBoxSyncProtocol

extension SyncedStore {
  /// Stores the user of a login.
  ///
  /// Throws if transactions of another user wait: the server would take them for this user's.
  ///
  /// Without waiting transactions, a store may change its user: objects that the new user may not see leave it. The
  /// anonymous user is not distinguished, so that a server may begin or stop to identify users.
  ///
  /// - Parameter user: The identity from the server; empty for the anonymous user.
  /// - Throws: `Refused` for another user than the one of the last login; ``ObjectBoxError`` when the store cannot be
  ///   read or written.
  package func checkWriter(is user: String) throws {
    let (owner, waiting) = try reading { device in (try device.user ?? "", device.waitingCount) }
    if owner == user { return }
    if waiting > 0, !owner.isEmpty, !user.isEmpty {
      throw Refused(
        .credentials,
        "\(waiting) transactions of '\(owner)' wait in this store, and the client has logged in as '\(user)'; log in as "
          + "'\(owner)' until they are uploaded, or use another store for '\(user)'"
      )
    }
    try applying { try $0.store.setUser(user) }
  }
}

extension StoredDevice {
  /// The user of the last login; nil before the first one.
  fileprivate var user: String? {
    get throws { try table.read(SyncKey(.user), in: storage, as: LoginUser.self)?.name }
  }

  fileprivate func setUser(_ name: String) throws {
    try table.set(LoginUser(name: name), at: SyncKey(.user), in: storage)
  }
}

/// The identity of a user as a value of the table.
private struct LoginUser: WireValue {
  let name: String

  init(name: String) { self.name = name }

  func write(to writer: inout WireWriter) { writer.append(name) }

  init(from reader: inout WireReader) throws(WireError) { self.init(name: try reader.text()) }
}
