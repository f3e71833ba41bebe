import Foundation
import ObjectBoxTestSupport
import Testing

/// The shells' completion scripts.
struct CompletionTests {
  private let tool: BuiltProgram

  init() throws {
    tool = try BuiltProgram("objectbox")
  }

  /// Returns the words that bash offers after others.
  private func offers(_ words: String...) throws -> [String] {
    let script = try tool.run("completion", "bash").output
    _ = try tool.folder.write(script, to: "completion.bash")
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let result = try tool.run(
      program: "/bin/bash",
      [
        "-c",
        "source ./completion.bash; COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1); "
          + "compopt() { :; }; _objectbox; printf '%s\\n' \"${COMPREPLY[@]}\"",
      ]
    )
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func `bash completes verbs, options, their values and files`() throws {
    #expect(try offers("objectbox", "sa") == ["salvage"])
    #expect(try offers("objectbox", "query", "--o") == ["--order", "--offset", "--output"])
    #expect(try offers("objectbox", "query", "--format", "") == ["table", "json", "csv"])
    #expect(try offers("objectbox", "info", "--format", "j") == ["json"])
    #expect(try offers("objectbox", "completion", "f") == ["fish"])
    _ = try tool.folder.write("", to: "notes.csv")
    #expect(try offers("objectbox", "import", "note") == ["notes.csv"])
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `a script has all verbs, and is one of its shell`(_ shell: String) throws {
    let result = try tool.run("completion", shell)
    #expect(result.status == 0)
    for verb in ["info", "query", "salvage", "import", "cluster"] {
      #expect(result.output.contains(verb))
    }
    let path = try tool.folder.write(result.output, to: "script")
    let program = "/usr/bin/\(shell)"
    guard FileManager.default.isExecutableFile(atPath: program) else { return }
    let check = try tool.run(program: program, ["-n", path])
    #expect(check.status == 0, "\(check.errors)")
  }

  @Test func `another shell is refused`() throws {
    let result = try tool.run("completion", "tcsh")
    #expect(result.status == 2)
    #expect(
      result.errors.contains("there is no completion for 'tcsh'; use one of: bash, zsh, fish")
    )
  }
}
