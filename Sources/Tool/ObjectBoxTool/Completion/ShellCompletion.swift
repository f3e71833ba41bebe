internal import ObjectBoxCommandLine

/// The script that makes a shell complete the tool's command line.
enum ShellCompletion: String, CaseIterable {
  case bash
  case zsh
  case fish

  /// The script, generated from the list of verbs.
  var script: String {
    switch self {
    case .bash: Self.bashScript
    case .zsh: Self.zshScript
    case .fish: Self.fishScript
    }
  }

  /// Whether the operands of a verb are paths.
  private static func isOfPaths(_ verb: Verb) -> Bool { verb.operands.first != "SHELL" }

  /// Whether the value of an option is a path.
  private static func takesPath(_ option: CommandOption) -> Bool {
    ["FILE", "PATH", "TARGET"].contains(option.value)
  }

  // MARK: bash

  private static var bashScript: String {
    let verbs = Verb.all.map(\.name).joined(separator: " ")
    var options = ""
    var values = ""
    for verb in Verb.all {
      let names = verb.allOptions.flatMap(\.names).joined(separator: " ")
      options += "    \(verb.name)) options='\(names)' ;;\n"
      for option in verb.allOptions where !option.choices.isEmpty {
        for name in option.names {
          values +=
            "    \(verb.name):\(name)) words='\(option.choices.joined(separator: " "))' ;;\n"
        }
      }
    }
    return """
      # bash completion of objectbox: source <(objectbox completion bash)
      _objectbox() {
        local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" verb="${COMP_WORDS[1]}"
        local options='' words=''
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W '\(verbs) --help --version' -- "$word"))
          return
        fi
        case "$verb:$before" in
      \(values)  esac
        if [ -n "$words" ]; then
          COMPREPLY=($(compgen -W "$words" -- "$word"))
          return
        fi
        case "$verb" in
      \(options)  esac
        if [[ "$word" == -* ]]; then
          COMPREPLY=($(compgen -W "$options" -- "$word"))
        elif [ "$verb" = completion ]; then
          COMPREPLY=($(compgen -W '\(shells)' -- "$word"))
        else
          compopt -o filenames
          COMPREPLY=($(compgen -f -- "$word"))
        fi
      }
      complete -F _objectbox objectbox
      """
  }

  private static var shells: String { allCases.map(\.rawValue).joined(separator: " ") }

  // MARK: zsh

  private static var zshScript: String {
    var cases = ""
    for verb in Verb.all {
      var lines: [String] = []
      for option in verb.allOptions {
        for name in option.names {
          let value =
            option.value.isEmpty
            ? ""
            : option.choices.isEmpty
              ? ":\(option.value.lowercased()):\(takesPath(option) ? "_files" : "")"
              : ":\(option.value.lowercased()):(\(option.choices.joined(separator: " ")))"
          // The value of a long option may be attached.
          let mark = option.value.isEmpty || !name.hasPrefix("--") ? "" : "="
          lines.append("'\(name)\(mark)[\(zsh(option.help))]\(value)'")
        }
      }
      lines.append(isOfPaths(verb) ? "'*:file:_files'" : "'1:shell:(\(shells))'")
      cases += "      \(verb.name)) _arguments \(lines.joined(separator: " ")) ;;\n"
    }
    let verbs = Verb.all.map { "'\($0.name):\(zsh($0.summary))'" }.joined(separator: " ")
    return """
      #compdef objectbox
      # zsh completion of objectbox: objectbox completion zsh >"${fpath[1]}/_objectbox"
      _objectbox() {
        local -a verbs
        verbs=(\(verbs))
        if (( CURRENT == 2 )); then
          _describe verb verbs
          return
        fi
        local verb="${words[2]}"
        shift words
        (( CURRENT-- ))
        case "$verb" in
      \(cases)  esac
      }
      compdef _objectbox objectbox
      """
  }

  /// Escapes a text for an argument of `_arguments` or `_describe` in single quotes.
  private static func zsh(_ text: String) -> String {
    text.replacing("'", with: "'\\''").replacing("[", with: "(").replacing("]", with: ")")
      .replacing(":", with: "\\:")
  }

  // MARK: fish

  private static var fishScript: String {
    var lines = [
      "# fish completion of objectbox: objectbox completion fish >~/.config/fish/completions/objectbox.fish"
    ]
    let verbs = Verb.all.map(\.name).joined(separator: " ")
    for verb in Verb.all {
      lines.append(
        "complete -c objectbox -n 'not __fish_seen_subcommand_from \(verbs)' -f -a \(verb.name) "
          + "-d '\(fish(verb.summary))'"
      )
      for option in verb.allOptions {
        var line = "complete -c objectbox -n '__fish_seen_subcommand_from \(verb.name)'"
        for name in option.names {
          line += name.hasPrefix("--") ? " -l \(name.dropFirst(2))" : " -s \(name.dropFirst())"
        }
        if !option.choices.isEmpty {
          line += " -x -a '\(option.choices.joined(separator: " "))'"
        } else if !option.value.isEmpty {
          line += takesPath(option) ? " -r" : " -x"
        }
        lines.append("\(line) -d '\(fish(option.help))'")
      }
      if !isOfPaths(verb) {
        lines.append(
          "complete -c objectbox -n '__fish_seen_subcommand_from \(verb.name)' -f -a '\(shells)'"
        )
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func fish(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
  }
}
