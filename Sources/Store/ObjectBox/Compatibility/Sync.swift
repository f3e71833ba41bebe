public import Foundation

/// ObjectBox's API for synchronisation with a server.
///
/// The module ObjectBoxSync has the clients; a program that links its product can make them. The
/// server is this project's, of the module ObjectBoxSyncServer: the protocol of ObjectBox's own server
/// is not public.
public enum Sync {
  /// Returns true in programs that link the product ObjectBoxSync.
  public static func isAvailable() -> Bool { SyncCall.isPossible }

  /// Makes the client of a store; ``SyncClient/start()`` connects it.
  ///
  /// - Parameter configuration: The store, the addresses of its servers, such as
  ///   `wss://sync.example.org`, and the credentials. Later changes of it have no effect on the client.
  /// - Returns: The client. The store has one at a time.
  /// - Throws: ``ObjectBoxError/sync(message:)`` in programs without ObjectBoxSync, without a usable
  ///   address, and when the store has a client; ``ObjectBoxError/illegalState(message:)`` when the
  ///   store has no synchronized entity; ``ObjectBoxError/illegalArgument(message:)`` for more or
  ///   longer filter variables than a server takes.
  public static func makeClient(configuration: Configuration) throws -> any SyncClient {
    guard
      let client = try SyncCall.answer(to: .makeClient(configuration)) as? any SyncClient
    else {
      throw ObjectBoxError.sync(message: "the module 'ObjectBoxSync' made no client")
    }
    return client
  }

  /// Makes the client of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - url: The address of the server, such as `wss://sync.example.org`.
  ///   - urlString: The address of the server, if `url` is nil.
  ///   - credentials: The credentials; nil for none.
  ///   - filterVariables: The filter variables; nil for none.
  ///   - certificatePaths: The certificates that are trusted in addition to the system's.
  ///   - debugLogging: True to log the client's work to standard error.
  /// - Returns: The client.
  /// - Throws: As ``makeClient(configuration:)``.
  @available(*, deprecated, message: "Use makeClient(configuration:)")
  public static func makeClient(
    store: Store,
    url: URL? = nil,
    urlString: String? = nil,
    credentials: SyncCredentials? = nil,
    filterVariables: [String: String]? = nil,
    certificatePaths: [String] = [],
    debugLogging: Bool = false
  ) throws -> any SyncClient {
    try makeClient(
      store: store,
      url: url,
      urlString: urlString,
      credentials: credentials.map { [$0] } ?? [],
      filterVariables: filterVariables,
      certificatePaths: certificatePaths,
      debugLogging: debugLogging
    )
  }

  /// Makes the client of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - url: The address of the server, such as `wss://sync.example.org`.
  ///   - urlString: The address of the server, if `url` is nil.
  ///   - credentials: The credentials; see ``Configuration/credentials``.
  ///   - filterVariables: The filter variables; nil for none.
  ///   - certificatePaths: The certificates that are trusted in addition to the system's.
  ///   - debugLogging: True to log the client's work to standard error.
  /// - Returns: The client.
  /// - Throws: As ``makeClient(configuration:)``.
  @available(*, deprecated, message: "Use makeClient(configuration:)")
  public static func makeClient(
    store: Store,
    url: URL? = nil,
    urlString: String? = nil,
    credentials: [SyncCredentials],
    filterVariables: [String: String]? = nil,
    certificatePaths: [String] = [],
    debugLogging: Bool = false
  ) throws -> any SyncClient {
    let urls = [url?.absoluteString ?? urlString].compactMap { $0 }
    let configuration = Configuration(store: store, urls: urls)
    configuration.credentials = credentials
    configuration.filterVariables = filterVariables ?? [:]
    configuration.certificatePaths = certificatePaths
    configuration.debugLogging = debugLogging
    return try makeClient(configuration: configuration)
  }
}

extension Store {
  /// The client that synchronises this store, as long as the program keeps it; nil without one.
  public var syncClient: (any SyncClient)? {
    guard SyncCall.isPossible else { return nil }
    return (try? SyncCall.answer(to: .findClient(self))) as? any SyncClient
  }
}
