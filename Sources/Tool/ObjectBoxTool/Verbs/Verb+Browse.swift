internal import Foundation
internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxCommandLine
internal import ObjectBoxDynamic

extension Verb {
  static let browse = Verb(
    name: "browse",
    summary: "shows a store or a database in a web browser, and follows it live",
    operands: ["STORE"],
    options: [
      CommandOption("--writable", "lets objects be changed, added and removed"),
      CommandOption(
        "--port NUMBER",
        "the port to listen on; default the usual one of the store, or any that is free"
      ),
      SizeLimit.option, DatabaseAddress.schemaOption,
    ],
    details: """
      tells the address of a page with tables, objects, relations, the schema and the use of the file, and serves it \
      until a signal ends it. The page follows the commits of all programs. STORE may be the address of a database of \
      ObjectBoxCluster as well, postgresql://USER@HOST/DATABASE; no password of it is shown

      only programs of this machine reach the page, and only by the whole address, which has a random token: who has \
      the address sees the objects. Without --writable nothing is written, and the server of a database refuses it. With \
      it, programs that have a store open to write must share it with other processes (isSharedWithOtherProcesses); \
      changes of a synchronized store are not queued for its server

      \(SizeLimit.details)

      ends with 0 after a signal, or 1 when the store or database cannot be read
      """,
    examples: [
      "browse notes", "browse notes --writable --port 8080",
      "browse postgresql://ada@db1/app --schema notes",
    ],
    run: browse
  )

  #if OBJECTBOX_HTTP
    private static func browse(_ arguments: CommandArguments) throws -> ExitCode {
      let limit = try SizeLimit.bytes(arguments)
      let port = try number(arguments, "--port", 0...65535).map { UInt16($0) }
      let isWritable = arguments.has("--writable")
      let name = arguments.operands[0]
      if DatabaseAddress.isOne(name) {
        try StoreKey.refuseForDatabase(arguments)
        let database = try DatabaseContent(
          DatabaseAddress.configuration(name, arguments),
          isWritable: isWritable
        )
        defer { database.close() }
        return try serve(database, isWritable: isWritable, port: port)
      }
      let location = try StoreLocation.existing(arguments)
      let store = try isWritable ? location.openToShare() : location.openToRead()
      defer { store.close() }
      if isWritable { try SyncWarning.tell(store, writing: store.schema.entities) }
      let content = StoreFileContent(store, at: location.file, maximumSize: limit)
      return try serve(content, isWritable: isWritable, port: port)
    }

    private static func serve(
      _ content: any BrowserContent,
      isWritable: Bool,
      port: UInt16?
    ) throws -> ExitCode {
      let browser = try Browser(content, isWritable: isWritable, port: port)
      defer { browser.stop() }
      try Console.write(browser.address + "\n")
      if isWritable { Console.tell("the page can change the objects") }
      do {
        // There is no descriptor: only a signal ends the wait.
        while true { try Interruption.wait(for: -1) }
      } catch is Interruption.Requested {
        return .success
      }
    }
  #else
    private static func browse(_ arguments: CommandArguments) throws -> ExitCode {
      throw libraryMissing
    }

    /// The error of verbs that serve pages, in builds without the library.
    static var libraryMissing: Failure {
      Failure(
        "this tool was built without libmicrohttpd, which serves the page; install it (on Debian and Ubuntu: 'apt-get "
          + "install libmicrohttpd-dev', on macOS: 'brew install libmicrohttpd') and build again"
      )
    }
  #endif
}
