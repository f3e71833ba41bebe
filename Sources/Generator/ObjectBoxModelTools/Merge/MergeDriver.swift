internal import ObjectBoxGenerator
internal import ObjectBoxJSON

/// Configures a git repository to merge model files by their UIDs.
package enum MergeDriver {
  static let name = "objectbox-model"
  /// The line of `.gitattributes` that chooses the driver.
  static let attribute = "model*.json merge=\(name)"

  /// Configures the driver in the current folder's git repository, and chooses it in
  /// `.gitattributes` for model files.
  ///
  /// A second run changes nothing.
  ///
  /// - Parameter command: The path of this tool, or its name when it is on `PATH`.
  /// - Returns: The changes in words.
  /// - Throws: ``ProgramFault`` when git is missing, fails, or finds no repository; ``FileFault``
  ///   when `.gitattributes` cannot be written.
  package static func install(command: String) throws -> [String] {
    guard let git = Program(named: "git") else {
      throw ProgramFault(
        description: "the program 'git' is not on PATH; install git, or add its folder to PATH"
      )
    }
    let found = try git.run(["rev-parse", "--show-toplevel"])
    let root = found.output.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    guard found.status == 0, !root.isEmpty else {
      let reason = found.errors.split(whereSeparator: \.isNewline).first.map { " (\($0))" } ?? ""
      throw ProgramFault(
        description:
          "the current folder is not in a git repository\(reason); run this in a folder of the "
          + "repository, or run git init"
      )
    }
    let driver = "\(quoted(command)) model merge %O %A %B --path %P"
    var messages: [String] = []
    for (key, value) in [("name", "ObjectBox model, merged by UIDs"), ("driver", driver)] {
      let key = "merge.\(name).\(key)"
      let old = try git.run(["config", "--local", "--get", key]).output
      if old == value + "\n" {
        messages.append("git has \(key) already")
      } else {
        _ = try git.output(of: ["config", "--local", key, value])
        messages.append("git now has \(key) = \(value)")
      }
    }
    messages.append(try addAttribute(to: root + "/.gitattributes"))
    messages.append("the settings of git are of this clone; run this in every clone")
    return messages
  }

  private static func addAttribute(to path: String) throws(FileFault) -> String {
    let old = try SourceFinder.readTextIfPresent(path) ?? ""
    let words = attribute.split(separator: " ")
    let isThere = old.split(whereSeparator: \.isNewline).contains { line in
      line.split(whereSeparator: \.isWhitespace) == words
    }
    if isThere { return "'\(path)' has the line '\(attribute)' already" }
    let separator = old.last?.isNewline ?? true ? "" : "\n"
    _ = try FileWriter.write(old + separator + attribute + "\n", to: path)
    return "'\(path)' now has the line '\(attribute)'; commit it"
  }

  /// Returns the command as one word of the shell in which git runs drivers.
  private static func quoted(_ command: String) -> String {
    // A percent sign starts a placeholder of git.
    let command = command.replacingBytes(of: "%", with: "%%")
    let isPlain = command.utf8.allSatisfy { byte in
      byte >= 0x80 || Character(Unicode.Scalar(byte)).isLetter
        || Character(Unicode.Scalar(byte)).isNumber || "/._-+".utf8.contains(byte)
    }
    return isPlain && !command.isEmpty
      ? command : "'" + command.replacingBytes(of: "'", with: "'\\''") + "'"
  }
}
