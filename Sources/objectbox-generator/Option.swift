internal import ObjectBoxGenerator

/// One option of the tool: its names, its help, and what it sets.
struct Option: Sendable {
  enum Effect: Sendable {
    case flag(@Sendable (inout Arguments) -> Void)
    case value(@Sendable (inout Arguments, String) -> Void)
    /// Known from the reference and not offered; the text says what to use.
    case refused(advice: String)
    /// Known from the reference and without effect here.
    case ignored
  }

  var names: [String]
  /// The word for the value in the help; empty for flags.
  var value = ""
  /// Empty for options that the help does not list.
  var help = ""
  var effect: Effect

  /// All options; parsing and help come from this list.
  static let all: [Option] = [
    Option(
      names: ["--sources"],
      value: "PATH",
      help: "file or folder with Swift sources; repeatable",
      effect: .value { $0.generator.sources.append($1) }
    ),
    Option(
      names: ["--exclude-sources"],
      value: "PATH",
      help: "file or folder to leave out; repeatable",
      effect: .value { $0.generator.excludedSources.append($1) }
    ),
    Option(
      names: ["--model-json"],
      value: "FILE",
      help: "the model file; default model.json",
      effect: .value { $0.generator.modelPath = $1 }
    ),
    Option(
      names: ["--output"],
      value: "PATH",
      help: "generated file, or the folder for EntityInfo.generated.swift; default the current one",
      effect: .value { $0.generator.outputPath = $1 }
    ),
    Option(
      names: ["--visibility"],
      value: "WORD",
      help: "access of generated declarations: internal (default), package or public",
      effect: .value { $0.generator.visibility = $1 }
    ),
    Option(
      names: ["--template"],
      value: "FILE:OUTPUT",
      help: "also render a template of your own, as Templates/README.md says; repeatable",
      effect: .value { $0.templates.append($1) }
    ),
    Option(
      names: ["--annotation-prefix"],
      value: "WORD",
      help: "the word before the colon in annotations; default objectbox",
      effect: .value { $0.generator.annotationPrefix = $1 }
    ),
    Option(
      names: ["-D"],
      value: "NAME",
      help: "a condition of `#if` that holds, as for the compiler; repeatable",
      effect: .value { $0.generator.conditions.defined.insert($1) }
    ),
    Option(
      names: ["--can-import"],
      value: "MODULE",
      help: "a module for `canImport`; with it those not given cannot be imported; repeatable",
      effect: .value { $0.generator.conditions.addImportable($1) }
    ),
    Option(
      names: ["--platform"],
      value: "NAME",
      help: "the platform for `os`, such as iOS; default the one of this machine",
      effect: .value { $0.generator.conditions.platform = $1 }
    ),
    Option(
      names: ["--c-header"],
      value: "FILE",
      help: "C header whose typedefs and enums are types of properties; repeatable",
      effect: .value { $0.generator.cHeaders.files.append($1) }
    ),
    Option(
      names: ["--c-include-dir"],
      value: "DIR",
      help: "folder of headers that C headers include; repeatable",
      effect: .value { $0.generator.cHeaders.includeFolders.append($1) }
    ),
    Option(
      names: ["--c-module"],
      value: "NAME=DIR",
      help: "C module and the folder of its headers; repeatable",
      effect: .value { $0.cModules.append($1) }
    ),
    Option(
      names: ["--locked"],
      help: "never write the model; fail when the sources ask for another (for builds and CI)",
      effect: .flag { $0.generator.isLocked = true }
    ),
    Option(
      names: ["--update-command"],
      value: "TEXT",
      help: "the command that a --locked run names to bring the model up to date",
      effect: .value { $0.generator.updateCommand = $1 }
    ),
    Option(
      names: ["--new-model"],
      help: "begin a new model although sources or generated code show that there was one",
      effect: .flag { $0.generator.allowsNewModel = true }
    ),
    Option(
      names: ["--allow-removing-all"],
      help: "let a run retire every entity of the model",
      effect: .flag { $0.generator.allowsRemovingAll = true }
    ),
    Option(
      names: ["--prune", "-p"],
      help: "remove the generated file when there are no entities",
      effect: .flag { $0.generator.prunesEmptyOutput = true }
    ),
    Option(
      names: ["--debug-parsetree", "-d"],
      value: "FILE",
      help: "write the schema as text, and make new UIDs deterministic (for tests only)",
      effect: .value { $0.generator.debugPath = $1 }
    ),
    Option(
      names: ["--fix"],
      help: "make the safe fixes of the findings in the sources, then run; not with --locked",
      effect: .flag { $0.generator.appliesFixes = true }
    ),
    Option(
      names: ["--diagnostics"],
      value: "FORM",
      help: "how findings are written: text, snippets (default for terminals) or json",
      effect: .value { $0.formName = $1 }
    ),
    Option(
      names: ["--watch", "-w"],
      help: "stay, and run again whenever a source or the model changes",
      effect: .flag { $0.isWatching = true }
    ),
    Option(
      names: ["--config"],
      value: "FILE",
      help: "a .sourcery.yml whose `sources` and `output` take the place of those options",
      effect: .value { $0.configuration = $1 }
    ),
    Option(
      names: ["--quiet", "-q"],
      help: "print errors only",
      effect: .flag { $0.isQuiet = true }
    ),
    Option(
      names: ["--verbose", "-v"],
      help: "print what is done",
      effect: .flag { $0.isVerbose = true }
    ),
    Option(
      names: ["--help", "-h"],
      help: "print this help",
      effect: .flag { $0.asksForHelp = true }
    ),
    Option(
      names: ["--version"],
      help: "print the version",
      effect: .flag { $0.asksForVersion = true }
    ),
    Option(
      names: ["--disableCache"],
      help: "run as if nothing were known from the run before, and leave no file of it",
      effect: .flag { $0.generator.usesCache = false }
    ),
    Option(names: ["--no-statistics"], effect: .ignored),
    Option(
      names: ["--xcode-project", "--xcode-target", "--xcode-module"],
      effect: .refused(advice: "pass the folder of the target with --sources")
    ),
    Option(
      names: ["--templates", "--exclude-templates", "--ejsPath", "--args", "--force-parse"],
      effect: .refused(advice: "pass templates of your own with --template FILE:OUTPUT")
    ),
  ]
}
