/// A client that synchronises a store.
///
/// ``Sync/makeClient(configuration:)`` makes one. Listeners are called on a thread of the client, one
/// call after another.
public protocol SyncClient: AnyObject {
  /// True once it was closed.
  var isClosed: Bool { get }
  /// The state of the client.
  var state: SyncState { get }
  /// Which changes the client requests.
  var requestUpdatesMode: RequestUpdatesMode { get set }
  /// A listener to all events of the other listeners.
  var listener: (any SyncListener)? { get set }
  /// A listener to logins.
  var loginListener: (any SyncLoginListener)? { get set }
  /// A listener to the end of updates.
  var completedListener: (any SyncCompletedListener)? { get set }
  /// A listener to connections.
  var connectionListener: (any SyncConnectionListener)? { get set }
  /// A listener to received changes.
  var changeListener: (any SyncChangeListener)? { get set }

  /// Sets the credentials of the client.
  func setCredentials(_ credentials: SyncCredentials) throws
  /// Starts synchronisation.
  func start() throws
  /// Pauses synchronisation.
  func stop() throws
  /// Closes the client.
  func close()
}

/// A listener to logins.
public protocol SyncLoginListener: AnyObject {
  /// The server has accepted the credentials.
  func loggedIn()
  /// The server has rejected the credentials.
  func loginFailed(result: SyncCode)
}

/// A listener to the end of updates.
public protocol SyncCompletedListener: AnyObject {
  /// All changes have arrived.
  func updatesCompleted()
}

/// A listener to connections.
public protocol SyncConnectionListener: AnyObject {
  /// The client is connected.
  func connected()
  /// The connection is lost.
  func disconnected()
}

/// A listener to received changes.
public protocol SyncChangeListener: AnyObject {
  /// Objects were put or removed; the keys are entity IDs.
  func changed(_ changes: [obx_schema_id: SyncChange])
}

/// A listener to all events.
public protocol SyncListener: SyncLoginListener, SyncCompletedListener, SyncConnectionListener,
  SyncChangeListener
{}
