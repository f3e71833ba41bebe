#if OBJECTBOX_WEBSOCKETS
  internal import CObjectBoxWebSockets
  internal import Dispatch
  internal import Foundation
  internal import class ObjectBox.Guarded
  internal import Synchronization

  /// A thread that runs the loop of libwebsockets.
  ///
  /// Invariant of `@unchecked Sendable`: the lock protects the mailbox, and `load` is atomic. All other variables
  /// belong to the loop's thread. Only that thread calls the library, except for `lws_cancel_service`. That call is
  /// made with the mailbox locked while `context` is set; the loop takes `context` out under the lock before it
  /// destroys the context.
  ///
  /// Lifetime of the callbacks' context: the library keeps an unretained pointer to the loop. The
  /// thread retains the loop until the context is destroyed, after which there are no callbacks.
  ///
  /// At each event the library visits all connections of a thread, and it keeps their timers in a list. So a loop has a
  /// limited number of connections, and the loop of a server's port passes its connections to other loops.
  final class ServiceLoop: @unchecked Sendable {
    /// Work for the loop from other threads.
    enum Order: Sendable {
      case attend(Channel)
      case connect(ConnectAttempt, Channel)
      /// Serves a connection that is already counted.
      case serve(descriptor: Int32, address: String)
      /// Reads the files of the certificate again, for later connections.
      case renewCertificate
      /// Ends the loop, without closing its connections.
      case stop
    }

    private struct Mailbox {
      var orders: [Order] = []
      var context: Context?
      var isOver = false
      /// Called at the end of the thread.
      var watchers: [@Sendable () -> Void] = []
    }

    /// Invariant of `@unchecked Sendable`: only used while the mailbox's lock permits it.
    private struct Context: @unchecked Sendable {
      let pointer: OpaquePointer
    }

    /// The greatest size of a piece of a message, which is sent at once.
    static let pieceSize = 65_536

    private static let isPrepared: Bool = {
      obx_ws_prepare()
      return true
    }()

    let settings: LoopSettings
    private let role: LoopSettings.Role
    /// The number of unended connections that were passed to a serving loop.
    private let load = Atomic(0)
    let piece = UnsafeMutablePointer<UInt8>.allocate(capacity: pieceSize + Int(obx_ws_prefix))
    private let mailbox = Guarded(Mailbox())

    // The loop's thread only.
    private(set) var context: OpaquePointer?
    private(set) var vhost: OpaquePointer?
    var links: [Int: Link] = [:]
    /// The IDs of the links, by channel.
    var linkIDs: [ObjectIdentifier: Int] = [:]
    private(set) var lastID = 0
    /// The address of the connection that is being accepted.
    var arriving = ""
    /// The loops that serve the connections that this one accepts.
    private var workers: [ServiceLoop] = []
    private var isStopping = false

    init(_ settings: LoopSettings, _ role: LoopSettings.Role) {
      self.settings = settings
      self.role = role
    }

    deinit { piece.deallocate() }

    /// Starts the thread.
    ///
    /// - Returns: The port that a server listens on.
    /// - Throws: ``WebSocketError`` when the library refuses the settings.
    func start() async throws -> Int {
      try await withCheckedThrowingContinuation { continuation in
        start { continuation.resume(with: $0) }
      }
    }

    private func start(_ started: @escaping @Sendable (Result<Int, any Error>) -> Void) {
      let thread = Thread { self.run(started) }
      thread.name = "ObjectBoxWebSockets"
      thread.start()
    }

    /// Passes work to the loop; after the loop's end the work is dropped, and its connections end.
    func post(_ order: Order) {
      let isOver = mailbox.withLock { mailbox in
        guard !mailbox.isOver else { return true }
        mailbox.orders.append(order)
        // With several orders in the mailbox, the loop is already awake.
        if mailbox.orders.count == 1, let context = mailbox.context {
          lws_cancel_service(context.pointer)
        }
        return false
      }
      guard isOver else { return }
      drop(order)
    }

    private func drop(_ order: Order) {
      switch order {
      case .attend(let channel), .connect(_, let channel):
        channel.end(.failure(.ended(address: channel.address)))
      case .serve(let descriptor, let address):
        close(descriptor)
        release(address, wasAdmitted: false)
      case .renewCertificate, .stop: break
      }
    }

    /// Waits until the thread has ended, and with it the use of the port.
    func stopped() async {
      await withCheckedContinuation { continuation in
        whenOver { continuation.resume() }
      }
    }

    private func whenOver(_ body: @escaping @Sendable () -> Void) {
      let isOver = mailbox.withLock { mailbox in
        if !mailbox.isOver { mailbox.watchers.append(body) }
        return mailbox.isOver
      }
      if isOver { body() }
    }

    // MARK: The loop's thread

    private func run(_ started: @escaping @Sendable (Result<Int, any Error>) -> Void) {
      _ = Self.isPrepared
      let tables = ProtocolTable(settings.protocolNames)
      if let error = settings.fault() {
        finish()
        return started(.failure(error))
      }
      let created = settings.withOptions(of: role) { options -> (OpaquePointer, OpaquePointer)? in
        var options = options
        options.protocols = UnsafePointer(tables.protocols)
        options.user = Unmanaged.passUnretained(self).toOpaque()
        var vhost: OpaquePointer?
        guard let context = obx_ws_create(&options, &vhost), let vhost else { return nil }
        return (context, vhost)
      }
      guard let created else {
        finish()
        return started(.failure(settings.creationError()))
      }
      (context, vhost) = created
      let handle = Context(pointer: created.0)
      mailbox.withLock { $0.context = handle }
      if role == .accepting {
        let port = Int(lws_get_vhost_listen_port(created.1))
        // Starts a serving loop now, so that its error is reported at once.
        _ = addWorker { started($0.map { _ in port }) }
      } else {
        started(.success(0))
      }
      while !isStopping {
        takeOrders().forEach(perform)
        guard !isStopping else { break }
        lws_service(created.0, 0)
      }
      mailbox.withLock { $0.context = nil }
      for channel in links.values.compactMap(\.channel) {
        channel.end(.failure(.ended(address: channel.address)))
      }
      lws_context_destroy(created.0)
      withExtendedLifetime(tables) {}
      endWorkers()
      finish()
    }

    /// Drops the remaining work, and notifies the waiters that the loop has ended.
    private func finish() {
      let (orders, watchers) = mailbox.withLock { mailbox in
        mailbox.isOver = true
        defer { (mailbox.orders, mailbox.watchers) = ([], []) }
        return (mailbox.orders, mailbox.watchers)
      }
      orders.forEach(drop)
      watchers.forEach { $0() }
    }

    private func takeOrders() -> [Order] {
      mailbox.withLock { mailbox in
        var orders: [Order] = []
        swap(&orders, &mailbox.orders)
        return orders
      }
    }

    private func perform(_ order: Order) {
      switch order {
      case .attend(let channel): attend(channel)
      case .connect(let attempt, let channel): connect(attempt, channel)
      case .serve(let descriptor, let address): serve(descriptor, from: address)
      case .renewCertificate: renewCertificate()
      case .stop: isStopping = true
      }
    }

    func makeLink() -> Link {
      lastID += 1
      let link = Link(id: lastID)
      links[link.id] = link
      return link
    }

    /// The number of a link, in the form of the pointer that the library keeps.
    static func pointer(_ link: Link) -> UnsafeMutableRawPointer? {
      UnsafeMutableRawPointer(bitPattern: link.id)
    }

    func link(of wsi: OpaquePointer) -> Link? {
      lws_get_opaque_user_data(wsi).flatMap { links[Int(bitPattern: $0)] }
    }

    /// The current time of timers in microseconds.
    var now: Int64 { lws_now_usecs() }

    private func connect(_ attempt: ConnectAttempt, _ channel: Channel) {
      guard !channel.attend().isOver else { return }
      let limit = WebSocketClient.maximumConnections
      guard links.count < limit else {
        let error = WebSocketError.tooManyConnections(address: attempt.url, limit: limit)
        return channel.end(.failure(error))
      }
      var attempt = attempt
      guard !attempt.addresses.isEmpty else {
        let error = WebSocketError.unreachable(address: attempt.url, tried: attempt.tried)
        return channel.end(.failure(error))
      }
      let address = attempt.addresses.removeFirst()
      attempt.tried.append(address)
      let link = makeLink()
      link.address = address
      link.attempt = attempt
      let wsi = ClientConnectInfo.connect(
        context,
        vhost,
        attempt,
        address: address,
        settings.protocolNames.dropFirst().joined(separator: ","),
        Self.pointer(link)
      )
      guard let wsi, links[link.id] === link else {
        // The library gives no reason for failures within the call.
        forget(link)
        return connect(attempt, channel)
      }
      link.wsi = wsi
      link.channel = channel
      linkIDs[ObjectIdentifier(channel)] = link.id
    }

    /// Removes a link whose connection the library has freed.
    func forget(_ link: Link) {
      guard links.removeValue(forKey: link.id) != nil else { return }
      link.wsi = nil
      if let channel = link.channel, linkIDs[ObjectIdentifier(channel)] == link.id {
        linkIDs[ObjectIdentifier(channel)] = nil
      }
      if role == .serving { release(link.address, wasAdmitted: link.request != nil) }
    }

    // MARK: Loops of a server

    /// Returns the loop with the fewest connections, for one more.
    func worker() -> ServiceLoop {
      workers.removeAll { $0.isOver }
      let emptiest = workers.map { ($0, $0.load.load(ordering: .relaxed)) }.min { $0.1 < $1.1 }
      let worker: ServiceLoop
      if let (loop, load) = emptiest, load < LoopSettings.maximumConnections {
        worker = loop
      } else {
        worker = addWorker { [settings] result in
          if case .failure(let error) = result { settings.listening?.report(error) }
        }
      }
      worker.load.add(1, ordering: .relaxed)
      return worker
    }

    /// Adds a loop; if it does not start, its connections end.
    private func addWorker(
      _ started: @escaping @Sendable (Result<Int, any Error>) -> Void
    ) -> ServiceLoop {
      let worker = ServiceLoop(settings, .serving)
      workers.append(worker)
      worker.start(started)
      return worker
    }

    /// Ends the count of a connection of a serving loop.
    func release(_ address: String, wasAdmitted: Bool) {
      load.subtract(1, ordering: .relaxed)
      settings.listening?.tally.end(address, wasAdmitted: wasAdmitted)
    }

    /// Reads the files of the certificate again, and makes the serving loops do so.
    private func renewCertificate() {
      guard let certificate = settings.listening?.certificate else { return }
      let (chain, key) = (certificate.chainPath, certificate.keyPath)
      if lws_tls_cert_updated(context, chain, key, nil, 0, nil, 0) != 0 {
        let reason = "the library refused it; the server goes on with the certificate before"
        settings.listening?.report(WebSocketError.unusableFile(path: chain, reason: reason))
      }
      for worker in workers { worker.post(.renewCertificate) }
    }

    private var isOver: Bool { mailbox.withLock { $0.isOver } }

    private func endWorkers() {
      let group = DispatchGroup()
      for worker in workers {
        group.enter()
        worker.post(.stop)
        worker.whenOver { group.leave() }
      }
      group.wait()
      workers = []
    }
  }
#endif
