internal import ObjectBox
internal import ObjectBoxCare
internal import ObjectBoxCommandLine

extension Verb {
  static let compact = Verb(
    name: "compact",
    summary: "makes the file of a store smaller, by the pages that are free",
    operands: ["STORE"],
    details: """
      what the store holds is written to a new file beside the old one, checked, synced, and renamed: whenever it is \
      interrupted, the store has one file or the other, with everything in it. No program may have the store open; one \
      that opens it meanwhile waits. The disk needs room for both files. An encrypted store gets \
      new files with a new data key, which the same key opens; memory needs room for both too

      ends with 0, or 1 when a program has the store open, the store cannot be read, or the disk has no room
      """,
    examples: ["compact notes"],
    run: compact
  )

  private static func compact(_ arguments: CommandArguments) throws -> ExitCode {
    let location = try StoreLocation.existing(arguments)
    let store = try location.openToShare()
    defer { store.close() }
    let report = try InterruptibleWork.run("compact") { try store.compact(progress: $0) }
    if let report {
      Console.tell("made \(report.bytesBefore) bytes \(report.bytesAfter)")
    }
    return .success
  }
}
