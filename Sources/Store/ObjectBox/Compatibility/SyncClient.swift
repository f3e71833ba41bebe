/// A client that synchronises a store.
///
/// ``Sync/makeClient(configuration:)`` makes one. Listeners are called one after another, on a thread
/// of the client or on the main thread. The client keeps its listeners alive.
public protocol SyncClient: AnyObject {
  /// True to call listeners on the main thread by the main queue, which the program must let run; false
  /// by default.
  var callListenersInMainThread: Bool { get set }
  /// A listener to logins.
  var loginListener: (any SyncLoginListener)? { get set }
  /// A listener to the end of updates.
  var completedListener: (any SyncCompletedListener)? { get set }
  /// A listener to received changes.
  var changeListener: (any SyncChangeListener)? { get set }
  /// A listener to connections.
  var connectionListener: (any SyncConnectionListener)? { get set }
  /// A listener to all events; setting it replaces the four others.
  var listener: (any SyncListener)? { get set }

  /// The updates that the client requests at each login; a change also counts for an open connection.
  var updateRequestMode: RequestUpdatesMode { get set }

  /// Returns the state of the client.
  func getState() -> SyncState
  /// Returns the name of the state, such as `loggedIn`.
  func getStateString() -> String
  /// Returns true once the client was closed.
  func isClosed() -> Bool
  /// Closes the client; does nothing for a closed one.
  func close()

  /// Gives a filter variable a value.
  ///
  /// The server's rules read it by `SyncUser.variable(_:)`, and use it to narrow the objects that the device
  /// gets. Objects come and go as after a change of the rules: on an open connection without a new login, as
  /// soon as the client takes updates.
  ///
  /// - Parameters:
  ///   - name: The name of the variable.
  ///   - value: The value; replaces an earlier one.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when the client is closed;
  ///   ``ObjectBoxError/illegalArgument(message:)`` for more or longer variables than a server takes.
  func putFilterVariable(name: String, value: String) throws
  /// Removes a filter variable; does nothing for an unknown one.
  ///
  /// - Parameter name: The name of the variable.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when the client is closed.
  func removeFilterVariable(_ name: String) throws
  /// Removes all filter variables.
  ///
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when the client is closed.
  func removeAllFilterVariables() throws

  /// Sets the credentials of the client; a client whose credentials were refused tries again.
  ///
  /// - Parameter credentials: The new credentials.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when the client is closed.
  func setCredentials(_ credentials: SyncCredentials) throws
  /// Sets the credentials of the client, one of which the server accepts.
  ///
  /// - Parameter credentials: The new credentials. The client tries the next one after a refusal.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when the client is closed.
  func setCredentials(_ credentials: [SyncCredentials]) throws

  /// Starts synchronisation; does nothing for a started client.
  ///
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when the client is closed.
  func start() throws
  /// Pauses synchronisation until ``start()``.
  ///
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when the client is closed.
  func stop() throws

  /// Requests the present updates, without those that come later.
  ///
  /// The completed listener is called at their end. A subscription stays.
  ///
  /// - Returns: True if the request was probably sent; false if the client is not logged in.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when the client is closed.
  @discardableResult func requestUpdates() throws -> Bool
  /// Requests the present updates and all later ones of this connection.
  ///
  /// - Returns: True if the request was probably sent; false if the client is not logged in.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when the client is closed.
  @discardableResult func requestUpdatesAndSubscribe() throws -> Bool
  /// Takes no more updates, until the program requests some or the client logs in again.
  ///
  /// - Returns: True if the client is logged in.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when the client is closed.
  @discardableResult func cancelUpdates() throws -> Bool

  /// Returns the number of transactions that the server has not decided.
  ///
  /// - Throws: ``ObjectBoxError`` when the store is closed.
  func outgoingMessagesCount() throws -> UInt
  /// Returns the number of transactions that the server has not decided, up to a limit.
  ///
  /// - Parameter limit: The greatest result; 0 for no limit.
  /// - Returns: The number.
  /// - Throws: ``ObjectBoxError`` when the store is closed.
  func outgoingMessagesCount(limit: UInt) throws -> UInt

  /// Compares the whole store with the server.
  ///
  /// Only objects that differ travel, and they change in one transaction. The completed listener is called at
  /// the end.
  ///
  /// - Returns: True if the comparison was probably begun; false if the client is not logged in.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when the client is closed.
  @discardableResult func fullSync() throws -> Bool

  /// Waits until the client is logged in; blocks the thread.
  ///
  /// - Parameter timeoutMilliseconds: The longest time.
  /// - Returns: ``SuccessTimeOut/failure`` when the client was stopped or closed, or waits for other
  ///   credentials.
  /// - Throws: ``ObjectBoxError``; clients of this package throw none.
  func waitForLoggedInState(timeoutMilliseconds: UInt) throws -> SuccessTimeOut

  /// Sends the server a sign of life, which it answers.
  ///
  /// A connection that has ended unnoticed is found by it.
  ///
  /// - Returns: True if it was probably sent; false without a connection.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when the client is closed.
  @discardableResult func sendHeartbeat() throws -> Bool
  /// Sets the time between two signs of life.
  ///
  /// - Parameter milliseconds: At least 1, and at most 25 minutes, which is the default.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for another time;
  ///   ``ObjectBoxError/illegalState(message:)`` when the client is closed.
  func setHeartbeatInterval(milliseconds: UInt) throws
}

/// A listener to logins.
public protocol SyncLoginListener {
  /// The server has accepted the credentials.
  func loggedIn()
  /// The server has rejected the credentials.
  func loginFailed(result: SyncCode)
}

/// A listener to the end of updates.
public protocol SyncCompletedListener {
  /// All requested updates have arrived.
  func updatesCompleted()
}

/// A listener to received changes.
public protocol SyncChangeListener {
  /// Objects were put or removed; the keys are entity IDs.
  func changed(_ changes: [obx_schema_id: SyncChange])
}

/// A listener to connections.
public protocol SyncConnectionListener {
  /// The client is connected.
  func connected()
  /// The connection is lost.
  func disconnected()
}

/// A listener to all events.
public protocol SyncListener: SyncLoginListener, SyncCompletedListener, SyncChangeListener,
  SyncConnectionListener
{}
