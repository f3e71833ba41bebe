internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxCommandLine
internal import ObjectBoxEncryption

/// The command line tool for store files.
package enum Tool {
  /// Runs the tool in this process.
  ///
  /// - Parameter words: The words after the tool's name.
  /// - Returns: The exit status.
  package static func run(_ words: [String]) -> ExitCode {
    guard let name = words.first else {
      return misused("a verb is missing; use one of: \(names)", see: "--help")
    }
    if CommandOption.help.names.contains(name) { return show(help) }
    if name == "--version" { return show(Store.versionLib) }
    guard let verb = Verb.all.first(where: { $0.name == name }) else {
      return misused(UsageFault(noVerb: name, among: Verb.all.map(\.name)).text, see: "--help")
    }
    do {
      let rest = Array(words.dropFirst())
      let asksForHelp = CommandOption.help.names.contains(rest.first ?? "")
      let arguments = try CommandArguments(
        verb.passesWords && !asksForHelp && rest.first != "--" ? ["--"] + rest : rest,
        options: verb.allOptions,
        operands: verb.operands
      )
      if arguments.has(CommandOption.help.key) { return show(verb.help) }
      Interruption.install()
      return try verb.run(arguments)
    } catch let fault as UsageFault {
      return misused(fault.text, see: "\(name) --help")
    } catch is Interruption.Requested {
      Console.tell("interrupted")
      return .interrupted
    } catch let fault as SystemFault where fault.isClosedPipe {
      // The reader of standard output has read enough, like `head`.
      return .failure
    } catch let error as ObjectBoxError {
      Console.tell("error: \(error.message)")
      return .failure
    } catch let error as EncryptionError {
      Console.tell("error: \(error.message)")
      return .failure
    } catch let error as ClusterError {
      Console.tell("error: \(error.message)")
      return .failure
    } catch let fault as ConditionFault {
      Console.tell("error: \(fault.description.printable)")
      return .failure
    } catch let fault as LineFault {
      // The format of compiler messages, so that editors find the place.
      Console.tell("\(fault)")
      return .failure
    } catch {
      Console.tell("error: \(error)")
      return .failure
    }
  }

  private static var names: String { Verb.all.map(\.name).joined(separator: ", ") }

  private static func misused(_ text: String, see help: String) -> ExitCode {
    Console.tell("error: \(UsageFault(text: text).line(see: "objectbox \(help)"))")
    return .usage
  }

  private static func show(_ text: String) -> ExitCode {
    do {
      try Console.write(text + "\n")
      return .success
    } catch {
      return .failure
    }
  }

  /// The rules of all verbs: on operands, and on exit statuses.
  static let rules = (
    store: """
    STORE is the directory of a store, or the data.mdb in it; programs may use the store meanwhile. Verbs that \
    read leave data.mdb as it is: only lock.mdb gets a reader slot, and is made when it is missing. An encrypted store \
    has sealed.head in place of data.mdb. Its key comes from a file; without one it is asked for on the terminal, \
    which does not show it. While a program has an encrypted store open, others cannot open it, not even to read.
    """,
    exit: """
    ends with 0 for success, 1 when something was found or is not possible, 2 for a wrong command line, 130 when a \
    signal ended the work
    """
  )

  /// The text of `--help`.
  private static var help: String {
    """
    Works on store files, without the program that they belong to.

    usage: objectbox VERB STORE [OPTION ...]

    \(HelpTable.text(Verb.all.map { ($0.name, $0.summary) }))

    \(rules.store)

    \(rules.exit)

    objectbox VERB --help tells the options of a verb
    """
  }
}
