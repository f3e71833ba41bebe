internal import ObjectBox
internal import ObjectBoxCare
internal import ObjectBoxCommandLine

extension Verb {
  static let backup = Verb(
    name: "backup",
    summary: "copies the newest version of a store to a new directory, while programs use it",
    operands: ["STORE", "DIRECTORY"],
    options: [
      CommandOption("--no-verify", "leave out the check of the copy, which takes most of the time")
    ],
    details: """
      the copy is written under another name, checked as by verify, synced, and then named: a backup that is there is \
      whole, and on the disk. It is a store of its own. The directory must not hold a store. The \
      backup of an encrypted store is encrypted, with the same key

      ends with 0, or 1 when the store cannot be read or has a fault, or the directory cannot be written
      """,
    examples: [
      "backup notes notes-2026-11-22", "backup /var/lib/notes /mnt/backup/notes --no-verify",
    ],
    run: backup
  )

  private static func backup(_ arguments: CommandArguments) throws -> ExitCode {
    let location = try StoreLocation.existing(arguments)
    let directory = arguments.operands[1]
    let version = try InterruptibleWork.run("backup") { progress in
      try Store.backup(
        of: location.configuration(maximumSizeInKilobytes: nil),
        to: directory,
        verifies: !arguments.has("--no-verify"),
        progress: progress
      )
    }
    if let version { Console.tell("wrote version \(version) to '\(directory)'") }
    return .success
  }
}
