public import Foundation

/// ObjectBox's API for synchronisation with a server.
///
/// The module ObjectBoxSync has the clients; a program that links its product can make them. The
/// server is this project's, of the module ObjectBoxSyncServer: the protocol of ObjectBox's own server
/// is not public.
public enum Sync {
  /// The configuration of a client.
  public struct Configuration {
    /// The store to synchronise.
    public var store: Store
    /// The addresses of the servers.
    public var urls: [URL]
    /// The credentials of the client.
    public var credentials: [SyncCredentials]

    /// Makes a configuration.
    public init(store: Store, urls: [URL], credentials: [SyncCredentials] = []) {
      self.store = store
      self.urls = urls
      self.credentials = credentials
    }
  }

  /// Returns true in programs that link the product ObjectBoxSync.
  public static func isAvailable() -> Bool { SyncCall.isPossible }

  /// Makes the client of a store; ``SyncClient/start()`` connects it.
  ///
  /// - Parameter configuration: The store, the addresses of its servers, such as
  ///   `wss://sync.example.org`, and the credentials.
  /// - Returns: The client. The store has one at a time.
  /// - Throws: ``ObjectBoxError/featureNotAvailable(message:)`` in programs without ObjectBoxSync;
  ///   ``ObjectBoxError/illegalArgument(message:)`` without a usable address;
  ///   ``ObjectBoxError/illegalState(message:)`` when the store has a client, or no synchronized
  ///   entity.
  public static func makeClient(configuration: Configuration) throws -> any SyncClient {
    guard
      let client = try SyncCall.answer(to: .makeClient(configuration)) as? any SyncClient
    else {
      throw ObjectBoxError.illegalState(message: "the module 'ObjectBoxSync' made no client")
    }
    return client
  }

  /// Makes the client of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - urlString: The address of the server, such as `wss://sync.example.org`.
  ///   - credentials: The credentials.
  /// - Returns: The client.
  /// - Throws: As ``makeClient(configuration:)``.
  @available(*, deprecated, message: "Use makeClient(configuration:)")
  public static func makeClient(
    store: Store,
    urlString: String,
    credentials: SyncCredentials? = nil
  ) throws -> any SyncClient {
    guard let url = URL(string: urlString) else {
      guard SyncCall.isPossible else { throw SyncCall.notAvailable }
      throw ObjectBoxError.illegalArgument(
        message:
          "'\(urlString)' is not the address of a server; use 'ws://HOST:PORT' or 'wss://HOST:PORT'"
      )
    }
    let credentials = credentials.map { [$0] } ?? []
    return try makeClient(
      configuration: Configuration(store: store, urls: [url], credentials: credentials)
    )
  }

  /// Makes the client of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - url: The address of the server.
  ///   - credentials: The credentials.
  /// - Returns: The client.
  /// - Throws: As ``makeClient(configuration:)``.
  @available(*, deprecated, message: "Use makeClient(configuration:)")
  public static func makeClient(
    store: Store,
    url: URL,
    credentials: SyncCredentials? = nil
  ) throws -> any SyncClient {
    let credentials = credentials.map { [$0] } ?? []
    return try makeClient(
      configuration: Configuration(store: store, urls: [url], credentials: credentials)
    )
  }
}

extension Store {
  /// The client that synchronises this store, as long as the program keeps it; nil without one.
  public var syncClient: (any SyncClient)? {
    guard SyncCall.isPossible else { return nil }
    return (try? SyncCall.answer(to: .findClient(self))) as? any SyncClient
  }
}
