internal import ObjectBox
internal import ObjectBoxCare
internal import ObjectBoxCommandLine
internal import ObjectBoxJSON

extension Verb {
  static let verify = Verb(
    name: "verify",
    summary: "checks a store: pages, records, indexes, unique values, relations and vector graphs",
    operands: ["STORE"],
    options: [
      ReportFormat.option,
      CommandOption("--max-faults NUMBER", "end after that many faults, 100 by default"),
    ],
    details: """
      the file may be damaged in any way, and is only read; programs may use it meanwhile. Each fault is a line that \
      says which part of the store it is in, and where. Of an encrypted store, pages that the \
      key does not open are faults too, and no program may have it open

      relations to objects that do not exist are counted in notes: they are no damage, unless the program has \
      refusesDanglingRelations in its configuration

      ends with 0, or 1 when there is a fault, the check did not reach the end, or the file cannot be read
      """,
    examples: ["verify notes", "verify notes/data.mdb --format json | jq .faults"],
    run: verify
  )

  private static func verify(_ arguments: CommandArguments) throws -> ExitCode {
    let maximum = try number(arguments, "--max-faults", 1...Int.max) ?? 100
    let location = try StoreLocation.existing(arguments)
    let report = try InterruptibleWork.run("verify") { progress in
      try Store.verify(
        location.configuration(maximumSizeInKilobytes: nil),
        maximumFaultCount: maximum,
        progress: progress
      )
    }
    try Console.write(
      ReportFormat(arguments) == .json
        ? report.json(location.file) : report.text(location.file).printable
    )
    if report.isSound { return .success }
    Console.tell("save what can be read with 'objectbox salvage \(arguments.operands[0]) TARGET'")
    return .failure
  }
}

extension VerificationReport {
  private var state: String {
    if isSound { return "sound" }
    let count = faults.isEmpty ? "no fault" : faults.count.counted("fault")
    return isComplete ? count : count + ", not checked to the end"
  }

  fileprivate func text(_ path: String) -> String {
    faults.map { "\($0)\n" }.joined() + danglingRelations.map { "note: \($0)\n" }.joined()
      + "\(path): \(state); version \(version), \(sizeInBytes.asByteCount) in \(pageCount.counted("page")), "
      + "\(recordCount.counted("record")), \(entryCount.counted("index entry", "index entries"))\n"
  }

  fileprivate func json(_ path: String) -> String {
    var writer = JSONWriter()
    writer.object([
      ("store", { $0.string(path) }), ("isSound", { $0.raw(isSound ? "true" : "false") }),
      ("isComplete", { $0.raw(isComplete ? "true" : "false") }),
      ("version", { $0.integer(version) }), ("fileSize", { $0.integer(sizeInBytes) }),
      ("pages", { $0.integer(pageCount) }), ("records", { $0.integer(recordCount) }),
      ("entries", { $0.integer(entryCount) }),
      (
        "faults",
        { writer in
          writer.list(faults) { writer, fault in
            writer.object([
              ("part", { $0.string(fault.part.rawValue) }),
              (
                "entity", { writer in fault.entity.map { writer.string($0) } ?? writer.raw("null") }
              ),
              ("id", { writer in fault.objectID.map { writer.integer($0) } ?? writer.raw("null") }),
              ("message", { $0.string(fault.message) }),
            ])
          }
        }
      ),
      (
        "danglingRelations",
        { writer in
          writer.list(danglingRelations) { writer, relation in
            writer.object([
              ("entity", { $0.string(relation.entity) }),
              ("relation", { $0.string(relation.relation) }),
              ("target", { $0.string(relation.target) }),
              ("count", { $0.integer(relation.count) }),
              ("sourceId", { $0.integer(relation.sourceID) }),
              ("targetId", { $0.integer(relation.targetID) }),
            ])
          }
        }
      ),
    ])
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }
}
