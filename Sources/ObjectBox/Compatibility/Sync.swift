public import Foundation

/// ObjectBox's API for synchronisation with a server, which this library does not support.
///
/// The server's protocol is not public. The declarations let existing sources compile.
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

  /// Returns false: there is no synchronisation.
  public static func isAvailable() -> Bool { false }

  /// Throws ``ObjectBoxError/featureNotAvailable(message:)``.
  ///
  /// - Parameter configuration: Not used.
  /// - Returns: Never.
  /// - Throws: Always.
  public static func makeClient(configuration: Configuration) throws -> any SyncClient {
    throw notAvailable
  }

  /// Throws ``ObjectBoxError/featureNotAvailable(message:)``.
  ///
  /// - Parameters:
  ///   - store: Not used.
  ///   - urlString: Not used.
  ///   - credentials: Not used.
  /// - Returns: Never.
  /// - Throws: Always.
  @available(*, deprecated, message: "Use makeClient(configuration:)")
  public static func makeClient(
    store: Store,
    urlString: String,
    credentials: SyncCredentials? = nil
  ) throws -> any SyncClient {
    throw notAvailable
  }

  /// Throws ``ObjectBoxError/featureNotAvailable(message:)``.
  ///
  /// - Parameters:
  ///   - store: Not used.
  ///   - url: Not used.
  ///   - credentials: Not used.
  /// - Returns: Never.
  /// - Throws: Always.
  @available(*, deprecated, message: "Use makeClient(configuration:)")
  public static func makeClient(
    store: Store,
    url: URL,
    credentials: SyncCredentials? = nil
  ) throws -> any SyncClient {
    throw notAvailable
  }

  private static var notAvailable: ObjectBoxError {
    .featureNotAvailable(
      message: "this library does not synchronise with a server; ask Sync.isAvailable() first"
    )
  }
}

extension Store {
  /// The client that synchronises this store: nil, since there is no synchronisation.
  public var syncClient: (any SyncClient)? { nil }
}
