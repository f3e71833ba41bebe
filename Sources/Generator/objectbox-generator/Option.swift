internal import ObjectBoxCommandLine
internal import ObjectBoxGenerator

/// One option of the tool: its names, help and effect.
struct Option: OptionText {
  enum Effect: Sendable {
    case flag(@Sendable (inout Arguments) -> Void)
    case value(@Sendable (inout Arguments, String) -> Void)
    /// An option of ObjectBox's generator that this tool lacks; the advice names an alternative.
    case refused(advice: String)
    /// An option of ObjectBox's generator that has no effect here.
    case ignored
  }

  var title: String
  var help = ""
  var effect: Effect

  private static func flag(
    _ title: String,
    _ help: String,
    set: @escaping @Sendable (inout Arguments) -> Void
  ) -> Option {
    Option(title: title, help: help, effect: .flag(set))
  }

  private static func value(
    _ title: String,
    _ help: String,
    set: @escaping @Sendable (inout Arguments, String) -> Void
  ) -> Option {
    Option(title: title, help: help, effect: .value(set))
  }

  private static func build(_ option: BuildOption) -> Option {
    let effect: Effect =
      switch option.effect {
      case .flag(let set): .flag { set(&$0.build) }
      case .value(let set): .value { set(&$0.build, $1) }
      }
    let title = option.value.map { "\(option.name) \($0)" } ?? option.name
    return Option(title: title, help: option.help, effect: effect)
  }

  /// All options; parsing and help use this list.
  static let all: [Option] = [
    .build(.sources),
    .value("--exclude-sources PATH", "file or folder to leave out; repeatable") {
      $0.build.generator.excludedSources.append($1)
    },
    .build(.model),
    .build(.output),
    .build(.visibility),
    .value(
      "--template FILE:OUTPUT",
      "also render a template of your own, as Templates/README.md says; repeatable"
    ) { $0.templates.append($1) },
    .value(
      "--annotation-prefix WORD",
      "the word before the colon in annotations; default objectbox"
    ) { $0.build.generator.annotationPrefix = $1 },
    .build(.condition),
    .build(.importable),
    .value("--platform NAME", "the platform for `os`, such as iOS; default the one of this machine")
    { $0.build.generator.conditions.platform = $1 },
    .value(
      "--c-header FILE",
      "C header whose typedefs and enums are types of properties; repeatable"
    ) { $0.build.generator.cHeaders.files.append($1) },
    .value("--c-include-dir DIR", "folder of headers that C headers include; repeatable") {
      $0.build.generator.cHeaders.includeFolders.append($1)
    },
    .build(.cModule),
    .build(.locked),
    .build(.updateCommand),
    .build(.entitiesOf),
    .build(.soleBindings),
    .flag(
      "--new-model",
      "begin a new model although sources or generated code show that there was one"
    ) { $0.build.generator.allowsNewModel = true },
    .flag("--allow-removing-all", "let a run retire every entity of the model") {
      $0.build.generator.allowsRemovingAll = true
    },
    .flag("--prune, -p", "remove the generated file when there are no entities") {
      $0.build.generator.prunesEmptyOutput = true
    },
    .value(
      "--debug-parsetree, -d FILE",
      "write the schema as text, and make new UIDs deterministic (for tests only)"
    ) { $0.build.generator.debugPath = $1 },
    .flag(
      "--fix",
      "make the safe fixes of the findings in the sources, then run; not with --locked"
    ) { $0.appliesFixes = true },
    .value(
      "--diagnostics FORM",
      "how findings are written: text, snippets (default for terminals) or json"
    ) { $0.formName = $1 },
    .flag("--watch, -w", "stay, and run again whenever a source or the model changes") {
      $0.isWatching = true
    },
    .value(
      "--config FILE",
      "a .sourcery.yml whose `sources` and `output` take the place of those options"
    ) { $0.configuration = $1 },
    .flag("--quiet, -q", "print errors only") { $0.isQuiet = true },
    .flag("--verbose, -v", "print what is done") { $0.isVerbose = true },
    .flag("--help, -h", "print this help") { $0.asksForHelp = true },
    .flag("--version", "print the version") { $0.asksForVersion = true },
    .value("--require-version VERSION", "fail unless this tool has the version (for builds)") {
      $0.requiredVersion = $1
    },
    .flag(
      "--disableCache",
      "run as if nothing were known from the run before, and leave no file of it"
    ) { $0.build.generator.usesCache = false },
    Option(
      title: "--xcode-project, --xcode-target, --xcode-module",
      effect: .refused(advice: "pass the folder of the target with --sources")
    ),
    Option(
      title: "--templates, --exclude-templates, --ejsPath, --args, --force-parse",
      effect: .refused(advice: "pass templates of your own with --template FILE:OUTPUT")
    ),
    Option(title: "--no-statistics", effect: .ignored),
  ]
}
