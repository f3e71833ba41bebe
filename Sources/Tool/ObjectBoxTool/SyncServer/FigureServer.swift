#if OBJECTBOX_HTTP
  internal import ObjectBox
  internal import ObjectBoxSyncServer

  /// Serves the page of a sync server.
  final class FigureServer: Sendable {
    private let server: HTTPServer
    /// The address of the page.
    let address: String

    /// Starts to serve.
    ///
    /// - Parameters:
    ///   - place: The place to listen.
    ///   - figures: Returns the figures of the moment.
    /// - Throws: ``SystemFault`` when the place cannot be used.
    init(_ place: PageAddress, _ figures: @escaping @Sendable () -> SyncServerFigures) throws {
      // Nil until the port is known, which guards requests.
      let site = Guarded<FigureSite?>(nil)
      server = HTTPServer { request in
        site.withLock { $0 }?.answer(request) ?? .text(503, "the server starts")
      }
      let port = try server.start(host: place.host, port: place.port)
      site.withLock { $0 = FigureSite(guardian: place.guardian(port: port), figures: figures) }
      address = place.url(port: port)
    }

    /// Closes all connections.
    func stop() { server.stop() }
  }
#endif
