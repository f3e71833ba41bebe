internal import ObjectBoxCommandLine

extension Verb {
  static let completion = Verb(
    name: "completion",
    summary: "prints the script by which a shell completes the words of this tool",
    operands: ["SHELL"],
    details: """
      SHELL is bash, zsh or fish. bash: put 'source <(objectbox completion bash)' into ~/.bashrc; zsh: write it to a \
      file _objectbox in a folder of $fpath; fish: to ~/.config/fish/completions/objectbox.fish

      ends with 0, or 2 for another shell
      """,
    examples: [
      "completion bash >/etc/bash_completion.d/objectbox",
      "completion fish >~/.config/fish/completions/objectbox.fish",
    ],
    run: completion
  )

  private static func completion(_ arguments: CommandArguments) throws -> ExitCode {
    guard let shell = ShellCompletion(rawValue: arguments.operands[0]) else {
      let known = ShellCompletion.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageFault(
        text: "there is no completion for '\(arguments.operands[0])'; use one of: \(known)"
      )
    }
    try Console.write(shell.script + "\n")
    return .success
  }
}
