internal import ObjectBox
internal import ObjectBoxCommandLine
internal import ObjectBoxEncryption

extension Verb {
  static let changeKey = Verb(
    name: "change-key",
    summary: "makes another key open an encrypted store",
    operands: ["STORE"],
    options: StoreKey.target.options,
    details: """
      without a file for the new key, a new passphrase is asked for on the terminal, twice. No object is encrypted \
      again, so it takes a moment; no program may have the store open

      the former key opens the store no more. Whoever had it and a copy of the files can still read what the store held \
      then: if others know the key, use 'copy' with a new key, and remove the store

      ends with 0, or 1 when the key is wrong, a program has the store open, or it cannot be written; the key stays then
      """,
    examples: [
      "change-key notes --key-file old --to-key-file new", "change-key notes --passphrase-file old",
    ],
    run: changeKey
  )

  private static func changeKey(_ arguments: CommandArguments) throws -> ExitCode {
    let location = try StoreLocation.existing(arguments)
    guard location.isEncrypted else {
      throw Failure(
        "the store in '\(location.directory)' is not encrypted, so it has no key; encrypt it with 'objectbox copy'"
      )
    }
    let store = try location.openToShare()
    defer { store.close() }
    try store.changeEncryption(to: try StoreKey.next(arguments))
    Console.tell("the new key opens '\(location.directory)', and the former one no more")
    return .success
  }
}
