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
    /// Files of certificates in PEM, or folders of such files, that are trusted beside the system's:
    /// those of own authorities, and self-signed ones.
    public var certificatePaths: [String] = []
    /// The public keys, one of which a server must have beside a valid certificate; empty for any.
    ///
    /// Each is the SHA-256 of the key's SubjectPublicKeyInfo in Base64, as `curl` has it behind `sha256//`.
    public var certificatePins: [String] = []
    /// Headers of the requests that open connections, such as those that a gateway before the server asks for.
    public var headers: [String: String] = [:]
    /// The HTTP proxy that opens the connections, such as `proxy.example.org:3128`; nil for none.
    public var proxy: String?
    /// Settings of the client.
    public var flags: SyncFlags = []
    /// Texts by names, with which the server's rules narrow what the device gets; see
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
