internal import ObjectBoxCluster
internal import ObjectBoxCommandLine
internal import ObjectBoxSyncServer

extension Verb {
  static let syncServer = Verb(
    name: "sync-server",
    summary: "synchronizes devices with a PostgreSQL database, by a model file and rules",
    operands: ["CONFIGURATION"],
    options: [
      CommandOption("--check", "checks the configuration and the files that it names, and ends"),
      CommandOption(
        "--page [HOST:]PORT",
        "serves a page with figures there, and /metrics for Prometheus; HOST is 127.0.0.1 by default"
      ),
    ],
    details: """
      CONFIGURATION is a JSON file: the database, the model file, the place to listen, how users prove who they are, and \
      which objects of each entity they may see and write. It tells what it serves, and serves devices until a signal \
      ends it. Secrets come from files or environment variables that the file names. The first start adds tables, \
      columns and triggers to the database; any number of servers may use one database

      with --page, whoever reaches the place sees the names of users, the network addresses of devices, the rules and \
      the last errors, and no objects: by default programs of this machine. Nothing can be changed there

      ends with 0 after a signal, or 1 when the configuration is wrong, the database cannot be used, or the server cannot \
      listen. With --check it uses neither database nor network, and ends with 0 when nothing is wrong
      """,
    examples: [
      "sync-server sync.json --check", "sync-server sync.json", "sync-server sync.json --page 9090",
    ],
    run: syncServer
  )

  private static func syncServer(_ arguments: CommandArguments) throws -> ExitCode {
    // Both throw in builds without the libraries; otherwise the fault would look like one of the configuration.
    try SyncServer.checkLibrary()
    _ = try Cluster.Configuration("").shownAddress()
    let page = try page(arguments)
    let configuration: SyncServerConfiguration
    do {
      configuration = try SyncServerConfiguration(arguments.operands[0])
    } catch let faults as SyncServerConfiguration.Faults {
      for fault in faults.list { Console.tell("\(fault)") }
      return .failure
    }
    if configuration.isReadableByOthers {
      Console.tell(
        "warning: others on the network can read credentials and objects; add 'certificate' and 'key' to 'listen'"
      )
    }
    if arguments.has("--check") {
      try Console.write(configuration.text())
      return .success
    }
    let (cluster, server) = try Waiting.run {
      let cluster = try await Cluster(
        modelJSON: configuration.model,
        configuration: configuration.cluster
      )
      do {
        let server = SyncServer(
          cluster: cluster,
          listen: configuration.address,
          authenticate: configuration.authentication,
          limits: configuration.limits,
          report: { Console.tell("error: \($0)") },
          rules: { for rule in configuration.rules.flatMap(\.rules) { rule } }
        )
        return (cluster, try await server.start())
      } catch {
        await cluster.close()
        throw error
      }
    }
    defer {
      try? Waiting.run {
        await server.stop()
        await cluster.close()
      }
    }
    let shown = try serve(page, of: server)
    defer { shown.stop() }
    try Console.write(configuration.text(port: server.port) + shown.text)
    do {
      // There is no descriptor: only a signal ends the wait.
      while true { try Interruption.wait(for: -1) }
    } catch is Interruption.Requested {
      return .success
    }
  }

  /// The place of the page; nil without one.
  private static func page(_ arguments: CommandArguments) throws -> PageAddress? {
    guard let page = try arguments.value("--page").map(PageAddress.init) else { return nil }
    #if !OBJECTBOX_HTTP
      throw libraryMissing
    #else
      if !page.isLocal {
        Console.tell(
          "warning: others on the network can read the names of users and the addresses of devices at '--page'"
        )
      }
      return page
    #endif
  }

  private static func serve(
    _ page: PageAddress?,
    of server: RunningSyncServer
  ) throws -> (text: String, stop: () -> Void) {
    guard let page else { return ("", {}) }
    #if OBJECTBOX_HTTP
      let served = try FigureServer(page) { server.figures() }
      return ("page: \(served.address)\n", { served.stop() })
    #else
      throw libraryMissing
    #endif
  }
}
