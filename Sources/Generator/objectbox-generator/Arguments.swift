internal import ObjectBoxCommandLine
internal import ObjectBoxGenerator

/// The parsed options of a command line.
struct Arguments {
  /// The values of the options that builds pass too.
  var build = BuildArguments()
  /// Templates and their outputs, as `TEMPLATE:OUTPUT`.
  var templates: [String] = []
  var isQuiet = false
  var isVerbose = false
  var asksForHelp = false
  var asksForVersion = false
  /// The version that the tool must have; nil for any.
  var requiredVersion: String?
  var isWatching = false
  /// The file that names the sources and the output.
  var configuration: String?
  /// The form of findings; nil for the default of the terminal or file.
  var form: FindingsOutput.Form?
  var formName: String?
  /// True to make safe fixes in the sources before the run; not for locked runs.
  var appliesFixes = false

  var generator: GeneratorOptions { build.generator }

  typealias Fault = UsageFault

  /// Parses the words after the tool's name.
  ///
  /// An option's value is the next word or follows `=`.
  init(_ words: [String]) throws(Fault) {
    try read(words)
    try applyConfiguration()
    try checkOutputs()
    do { try build.check() } catch { throw Fault(text: error.text) }
  }

  private mutating func read(_ words: [String]) throws(Fault) {
    var rest = words[...]
    while let word = rest.popFirst() {
      let (name, value) = CommandArguments.split(word)
      var attached = value
      guard let option = Option.all.first(where: { $0.names.contains(name) }) else {
        if word.hasPrefix("-") {
          throw Fault(
            text: CommandArguments.unknown(option: name, among: Option.all.flatMap(\.names))
          )
        }
        throw Fault(
          text: "'\(word)' is no option; pass paths with --sources"
            + EditDistance.advice(for: word, in: ["model"])
        )
      }
      func nextValue() throws(Fault) -> String {
        guard let text = attached ?? rest.popFirst() else {
          throw Fault(text: "option '\(name)' needs a value (\(option.value))")
        }
        attached = nil
        if text.isEmpty { throw Fault(text: BuildOption.fault(ofEmpty: name, option.value)) }
        return text
      }
      switch option.effect {
      case .flag(let set): set(&self)
      case .value(let set): set(&self, try nextValue())
      case .ignored: break
      case .refused(let advice):
        throw Fault(text: "option '\(name)' is not supported; \(advice)")
      }
      if attached != nil { throw Fault(text: "option '\(name)' takes no value") }
      // At once: a tool of another version may not know the options that follow.
      try checkVersion()
    }
  }

  private func checkVersion() throws(Fault) {
    guard let requiredVersion, requiredVersion != ProductVersion.text else { return }
    let path = CommandLine.arguments.first ?? ""
    throw Fault(
      text: "the generator '\(path)' has version '\(ProductVersion.text)', and version "
        + "'\(requiredVersion)' is asked for; set OBJECTBOX_GENERATOR to the absolute path of that "
        + "version, or unset it to build the generator with the package"
    )
  }

  /// Replaces the sources and the output by the configuration file's, like ObjectBox's generator.
  private mutating func applyConfiguration() throws(Fault) {
    guard let configuration else { return }
    let file = try ConfigurationFile(configuration)
    build.generator.sources = file.sources
    build.generator.excludedSources = file.excludedSources
    if let output = file.output { build.generator.outputPath = output }
  }

  /// Reads the templates and the form of findings; refuses shared output files, and fixes in locked
  /// runs.
  private mutating func checkOutputs() throws(Fault) {
    var used: Set<String> = [generator.modelPath, generator.outputPath]
    for pair in templates {
      guard let colon = pair.lastIndex(of: ":"), colon != pair.startIndex,
        pair.index(after: colon) != pair.endIndex
      else {
        throw Fault(
          text: "option '--template' needs a template and the file to write, as FILE:OUTPUT; found "
            + "'\(pair)'"
        )
      }
      let output = String(pair[pair.index(after: colon)...])
      guard used.insert(output).inserted else {
        throw Fault(text: "two outputs would be written to '\(output)'; give each its own file")
      }
      let template = UserTemplate(path: String(pair[..<colon]), outputPath: output)
      build.generator.templates.append(template)
    }
    if let formName {
      form = FindingsOutput.Form(rawValue: formName)
      if form == nil {
        throw Fault(
          text: "the form of diagnostics '\(formName)' is none of text, json and snippets"
        )
      }
    }
    if generator.isLocked, appliesFixes {
      let option = generator.entitiesOwner == nil ? "--locked" : "--entities-of"
      throw Fault(text: "a \(option) run changes no sources; leave out \(option) or --fix")
    }
  }

  /// The text of `--help`.
  static var help: String {
    """
    Reads annotated Swift sources, keeps stable IDs in a model file, and writes Swift bindings.

    usage: objectbox-generator --sources PATH [--model-json FILE] [--output PATH] [OPTION ...]
           objectbox-generator model VERB ...   (see objectbox-generator model --help)

    \(HelpTable.text(Option.all))

    examples:
      where the build plugin makes the bindings, the model only; .build is not compiled:
        objectbox-generator --sources Sources/App --model-json model.json --output .build
      without the plugin, the model and the bindings beside the sources:
        objectbox-generator --sources Sources/App --model-json model.json \
    --output Sources/App/Generated
      the same in CI, which fails when the model is to be changed:
        objectbox-generator --sources Sources/App --model-json model.json \
    --output Sources/App/Generated --locked

    ends with 0 for success, 1 for a path or option that cannot be used, 2 without sources, 3 when the \
    sources or the model have an error

    findings go to standard error, as path:line:column: error|warning|note: text; a terminal shows the \
    source line as well, and colours unless NO_COLOR is set; with --diagnostics json each finding is one \
    line on standard output, an object with path, line, column, endColumn (from 1, in UTF-8 bytes), \
    severity, message, notes and fixIts, each of these with message, isSafe and edits (path, line, \
    column, endColumn, replacement), and everything else goes to standard error
    """
  }
}
