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

  /// All options; parsing and help use this list.
  static let all: [Option] = [
    .value("--sources PATH", "file or folder with Swift sources; repeatable") {
      $0.generator.sources.append($1)
    },
    .value("--exclude-sources PATH", "file or folder to leave out; repeatable") {
      $0.generator.excludedSources.append($1)
    },
    .value("--model-json FILE", "the model file; default model.json") {
      $0.generator.modelPath = $1
    },
    .value(
      "--output PATH",
      "generated file, or the folder for EntityInfo.generated.swift; default the current one"
    ) { $0.generator.outputPath = $1 },
    .value(
      "--visibility WORD",
      "access of generated declarations: internal (default), package or public"
    ) { $0.generator.visibility = $1 },
    .value(
      "--template FILE:OUTPUT",
      "also render a template of your own, as Templates/README.md says; repeatable"
    ) { $0.templates.append($1) },
    .value(
      "--annotation-prefix WORD",
      "the word before the colon in annotations; default objectbox"
    ) { $0.generator.annotationPrefix = $1 },
    .value("-D NAME", "a condition of `#if` that holds, as for the compiler; repeatable") {
      $0.generator.conditions.defined.insert($1)
    },
    .value(
      "--can-import MODULE",
      "a module for `canImport`; with it those not given cannot be imported; repeatable"
    ) { $0.generator.conditions.addImportable($1) },
    .value("--platform NAME", "the platform for `os`, such as iOS; default the one of this machine")
    { $0.generator.conditions.platform = $1 },
    .value(
      "--c-header FILE",
      "C header whose typedefs and enums are types of properties; repeatable"
    ) { $0.generator.cHeaders.files.append($1) },
    .value("--c-include-dir DIR", "folder of headers that C headers include; repeatable") {
      $0.generator.cHeaders.includeFolders.append($1)
    },
    .value("--c-module NAME=DIR", "C module and the folder of its headers; repeatable") {
      $0.cModules.append($1)
    },
    .flag(
      "--locked",
      "never write the model; fail when the sources ask for another (for builds and CI)"
    ) { $0.generator.isLocked = true },
    .value(
      "--update-command TEXT",
      "the command that a --locked run names to bring the model up to date"
    ) { $0.generator.updateCommand = $1 },
    .value(
      "--entities-of TARGET",
      "check the sources against the model of this target, which has the same entities, as --locked"
    ) {
      $0.generator.entitiesOwner = $1
      $0.generator.isLocked = true
    },
    .flag(
      "--sole-bindings",
      "fail when other generated bindings are among the sources (for builds that make them)"
    ) { $0.generator.refusesOtherBindings = true },
    .flag(
      "--new-model",
      "begin a new model although sources or generated code show that there was one"
    ) { $0.generator.allowsNewModel = true },
    .flag("--allow-removing-all", "let a run retire every entity of the model") {
      $0.generator.allowsRemovingAll = true
    },
    .flag("--prune, -p", "remove the generated file when there are no entities") {
      $0.generator.prunesEmptyOutput = true
    },
    .value(
      "--debug-parsetree, -d FILE",
      "write the schema as text, and make new UIDs deterministic (for tests only)"
    ) { $0.generator.debugPath = $1 },
    .flag(
      "--fix",
      "make the safe fixes of the findings in the sources, then run; not with --locked"
    ) { $0.generator.appliesFixes = true },
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
    ) { $0.generator.usesCache = false },
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
