internal import ObjectBox
internal import ObjectBoxCommandLine
internal import ObjectBoxSync

extension Verb {
  static let syncStatus = Verb(
    name: "sync-status",
    summary:
      "tells what waits for the server in a synchronized store, and what the server rejected",
    operands: ["STORE"],
    options: [ReportFormat.option],
    details: """
      STORE is a store on a device. Transactions wait until the server has decided them; the oldest one is told with \
      its writes. Rejected transactions are kept until the program discards them, and told with their reasons. The \
      text shows \(SyncReport.shownWrites) writes of a transaction at most; JSON has all

      nothing is written, and the program may have the store open

      ends with 0, or 1 when the store was never synchronized or cannot be read
      """,
    examples: ["sync-status items", "sync-status items --format json"],
    run: syncStatus
  )

  private static func syncStatus(_ arguments: CommandArguments) throws -> ExitCode {
    let location = try StoreLocation.existing(arguments)
    let store = try location.openToRead()
    defer { store.close() }
    guard let status = try SyncStatus.read(store) else {
      throw Failure("the store in '\(location.directory)' was never synchronized")
    }
    let report = SyncReport(status, at: location.file)
    try Console.write(ReportFormat(arguments) == .json ? report.json : report.text.printable)
    return .success
  }
}

/// The warning of verbs that write objects.
enum SyncWarning {
  /// Warns that the server will not receive the writes, if the store was synchronized.
  ///
  /// - Parameters:
  ///   - store: The store that objects will be written to.
  ///   - entities: The entities of these objects.
  /// - Throws: `ObjectBoxError` when the file cannot be read.
  static func tell(_ store: Store, writing entities: [EntitySchema]) throws {
    let names = entities.filter(\.isSynchronized).map { "'\($0.name)'" }
    guard !names.isEmpty, try SyncStatus.counts(of: store) != nil else { return }
    Console.tell(
      "warning: this store is synchronized, and writes of this tool are not queued for the server: changes of "
        + "\(names.joined(separator: ", ")) stay on this device, and the server's objects replace them when these change"
    )
  }
}
