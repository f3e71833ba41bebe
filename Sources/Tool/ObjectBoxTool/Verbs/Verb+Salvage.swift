internal import Foundation
internal import ObjectBox
internal import ObjectBoxCare
internal import ObjectBoxCommandLine
internal import ObjectBoxEncryption
internal import ObjectBoxJSON

extension Verb {
  static let salvage = Verb(
    name: "salvage",
    summary: "saves what can be read of a damaged store into a new one, and tells what is lost",
    operands: ["STORE", "TARGET"],
    options: [
      CommandOption(
        "--model FILE",
        "model.json of the program, used when the schema in the file cannot be read"
      ),
      CommandOption(
        "--uncertain",
        "also save objects that may have been removed or changed before the damage"
      ),
      CommandOption(
        "--damaged",
        "also save objects with a wrong checksum whose values can be read; any value may be wrong"
      ),
      CommandOption(
        "--commit NUMBER",
        "the commit to read, where the file has two; default: the newest"
      ),
      ReportFormat.option,
      CommandOption(
        "--max-findings NUMBER",
        "findings that are told, 100 by default; all are counted"
      ),
    ] + StoreKey.target.options + [StoreKey.plainOption],
    details: """
      the file may be damaged in any way, and is only read; no program should write to it meanwhile. Objects keep their \
      IDs; indexes and vector graphs are made anew. Each finding is a line that says what is lost or uncertain, and \
      where it was; the last lines tell the numbers of each entity and relation

      TARGET must not exist, or be an empty directory. The store is made as TARGET.salvage, and renamed at the end: an \
      interrupted run leaves no TARGET, and can be run again

      of an encrypted store, pages that the key does not open are left out and told. Without a whole copy of each part of \
      its head (sealed.head) nothing opens. TARGET is encrypted by the key that is given for it

      ends with 0 when everything is saved, 1 when something is lost or uncertain, or the work is not possible
      """,
    examples: [
      "salvage notes notes-saved", "salvage notes notes-saved --uncertain --model model.json",
      "salvage notes notes-saved --key-file key --to-key-file key",
    ],
    run: salvage
  )

  private static func salvage(_ arguments: CommandArguments) throws -> ExitCode {
    var options = SalvageOptions()
    options.version = try number(arguments, "--commit", 0...Int.max).map { UInt64($0) }
    options.maximumFindingCount = try number(arguments, "--max-findings", 0...Int.max) ?? 100
    options.modelJSON = arguments.value("--model").map { URL(fileURLWithPath: $0) }
    options.savesUncertain = arguments.has("--uncertain")
    options.savesDamaged = arguments.has("--damaged")
    let location = try StoreLocation.existing(arguments)
    var target = Store.Configuration(directory: arguments.operands[1])
    target.encryption = try StoreKey.ofTarget(arguments, isSourceEncrypted: location.isEncrypted)
    let report = try InterruptibleWork.run("salvage") { progress in
      try Store.salvage(
        location.configuration(maximumSizeInKilobytes: nil),
        to: target,
        options: options,
        progress: progress
      )
    }
    guard let report else { return .failure }
    try Console.write(
      ReportFormat(arguments) == .json ? report.json : report.description + "\n"
    )
    Console.tell(
      "wrote '\(arguments.operands[1])'"
        + (report.isWhole ? ", with everything" : ": \(report.findingCount.counted("finding"))")
    )
    return report.isWhole ? .success : .failure
  }
}

extension SalvageReport {
  fileprivate var json: String {
    var writer = JSONWriter()
    writer.object([
      ("isWhole", { $0.raw(isWhole ? "true" : "false") }),
      ("version", { writer in version.map { writer.integer($0) } ?? writer.raw("null") }),
      (
        "entities",
        { writer in
          writer.list(entities) { writer, entity in
            writer.object([
              ("entity", { $0.string(entity.name) }), ("saved", { $0.integer(entity.savedCount) }),
              ("lost", { $0.integer(entity.lostCount) }),
              ("missing", { $0.integer(entity.missingCount) }),
              ("uncertain", { $0.integer(entity.uncertainCount) }),
              ("savedUncertain", { $0.integer(entity.savedUncertainCount) }),
            ])
          }
        }
      ),
      (
        "relations",
        { writer in
          writer.list(relations) { writer, relation in
            writer.object([
              ("relation", { $0.integer(relation.id) }), ("entity", { $0.string(relation.entity) }),
              ("saved", { $0.integer(relation.savedCount) }),
              ("dangling", { $0.integer(relation.danglingCount) }),
              ("uncertain", { $0.integer(relation.uncertainCount) }),
            ])
          }
        }
      ),
      ("findingCount", { $0.integer(findingCount) }),
      ("findings", { writer in writer.list(findings) { $0.finding($1) } }),
    ])
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }
}

extension JSONWriter {
  fileprivate mutating func finding(_ finding: SalvageFinding) {
    object([
      ("kind", { $0.string(finding.kind.rawValue) }),
      ("entity", { writer in finding.entity.map { writer.string($0) } ?? writer.raw("null") }),
      (
        "ids",
        { writer in
          guard let ids = finding.objectIDs else { return writer.raw("null") }
          writer.list([ids.lowerBound, ids.upperBound]) { $0.integer($1) }
        }
      ),
      ("page", { writer in finding.page.map { writer.integer($0) } ?? writer.raw("null") }),
      ("message", { $0.string(finding.message) }),
    ])
  }
}
