extension Sync {
  /// The configuration of a client.
  ///
  /// A class for source compatibility, so that it can be changed after it was passed around. A client
  /// reads it when ``Sync/makeClient(configuration:)`` makes it.
  ///
  ///     let configuration = Sync.Configuration(store: store, url: "wss://sync.example.org")
  ///     configuration.credentials = [.makeUsernamePassword("ada", "secret")]
  public final class Configuration {
    /// The store to synchronise.
    public let store: Store
    /// The addresses of the servers, such as `wss://sync.example.org`; each attempt to connect uses a
    /// random one.
    public var urls: [String]
    /// The credentials of the client; empty for none.
    ///
    /// A server accepts one of them. With several, the client tries the next one after a refusal.
    public var credentials: [SyncCredentials] = []
    /// Files of certificates in PEM, or folders of such files, that are trusted in addition to the system's:
    /// certificates of private authorities, and self-signed ones.
    public var certificatePaths: [String] = []
    /// Accepted public keys: besides a valid certificate, a server must have one of them; empty for any.
    ///
    /// Each is the SHA-256 of the key's SubjectPublicKeyInfo in Base64, as `curl` writes it after `sha256//`.
    public var certificatePins: [String] = []
    /// Headers of the requests that open connections, for example for a gateway before the server.
    public var headers: [String: String] = [:]
    /// The HTTP proxy that opens the connections, such as `proxy.example.org:3128`; nil for none.
    public var proxy: String?
    /// Settings of the client.
    public var flags: SyncFlags = []
    /// Texts by name that the server's rules use to narrow the device's data; see
    /// ``SyncClient/putFilterVariable(name:value:)``.
    public var filterVariables: [String: String] = [:]
    /// True to write states and errors of the client to standard error.
    public var debugLogging = false

    /// Makes a configuration with one server.
    ///
    /// - Parameters:
    ///   - store: The store to synchronise.
    ///   - url: The address of the server, such as `wss://sync.example.org`.
    public convenience init(store: Store, url: String) { self.init(store: store, urls: [url]) }

    /// Makes a configuration with several servers.
    ///
    /// - Parameters:
    ///   - store: The store to synchronise.
    ///   - urls: The addresses of the servers.
    public init(store: Store, urls: [String]) {
      self.store = store
      self.urls = urls
    }
  }
}
