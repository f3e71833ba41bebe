/// A client that synchronises a store; nothing here conforms to it, see ``Sync``.
public protocol SyncClient: AnyObject {
  /// True once it was closed.
  var isClosed: Bool { get }
  /// The state of the client.
  var state: SyncState { get }
  /// Which changes it asks for.
  var requestUpdatesMode: RequestUpdatesMode { get set }
  /// Hears of all that the other listeners do.
  var listener: (any SyncListener)? { get set }
  /// Hears of logins.
  var loginListener: (any SyncLoginListener)? { get set }
  /// Hears when all changes have come.
  var completedListener: (any SyncCompletedListener)? { get set }
  /// Hears of connections.
  var connectionListener: (any SyncConnectionListener)? { get set }
  /// Hears of changes that came.
  var changeListener: (any SyncChangeListener)? { get set }

  /// Sets how the client shows who it is.
  func setCredentials(_ credentials: SyncCredentials) throws
  /// Begins.
  func start() throws
  /// Pauses.
  func stop() throws
  /// Ends.
  func close()
}

/// Hears of logins.
public protocol SyncLoginListener: AnyObject {
  /// The server has accepted the credentials.
  func loggedIn()
  /// The server has refused them.
  func loginFailed(result: SyncCode)
}

/// Hears when all changes have come.
public protocol SyncCompletedListener: AnyObject {
  /// All changes have come.
  func updatesCompleted()
}

/// Hears of connections.
public protocol SyncConnectionListener: AnyObject {
  /// A connection stands.
  func connected()
  /// The connection is lost.
  func disconnected()
}

/// Hears of changes that came.
public protocol SyncChangeListener: AnyObject {
  /// Objects came or went, by the IDs of their entities.
  func changed(_ changes: [obx_schema_id: SyncChange])
}

/// Hears of everything.
public protocol SyncListener: SyncLoginListener, SyncCompletedListener, SyncConnectionListener,
  SyncChangeListener
{}
