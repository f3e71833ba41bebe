/// An option that the build plugin passes: its name, its help and its effect.
package struct BuildOption: Sendable {
  package enum Effect: Sendable {
    case flag(@Sendable (inout BuildArguments) -> Void)
    case value(@Sendable (inout BuildArguments, String) -> Void)
  }

  package let name: String
  /// The word for the value; nil for a flag.
  package var value: String?
  package let help: String
  package let effect: Effect

  private init(
    _ name: String,
    _ value: String,
    _ help: String,
    set: @escaping @Sendable (inout BuildArguments, String) -> Void
  ) {
    self.name = name
    self.value = value
    self.help = help
    effect = .value(set)
  }

  private init(
    _ name: String,
    _ help: String,
    set: @escaping @Sendable (inout BuildArguments) -> Void
  ) {
    self.name = name
    self.help = help
    effect = .flag(set)
  }

  package static let sources = Self(
    "--sources",
    "PATH",
    "file or folder with Swift sources; repeatable"
  ) {
    $0.generator.sources.append($1)
  }
  package static let model = Self("--model-json", "FILE", "the model file; default model.json") {
    $0.generator.modelPath = $1
  }
  package static let output = Self(
    "--output",
    "PATH",
    "generated file, or the folder for EntityInfo.generated.swift; default the current one"
  ) { $0.generator.outputPath = $1 }
  package static let visibility = Self(
    "--visibility",
    "WORD",
    "access of stores in bindings, and of entities in extensions: internal (default), package or public"
  ) { $0.generator.visibility = $1 }
  package static let condition = Self(
    "-D",
    "NAME",
    "a condition of `#if` that holds, as for the compiler; repeatable"
  ) { $0.generator.conditions.defined.insert($1) }
  package static let importable = Self(
    "--can-import",
    "MODULE",
    "a module for `canImport`; with it those not given cannot be imported; repeatable"
  ) { $0.generator.conditions.addImportable($1) }
  package static let cModule = Self(
    "--c-module",
    "NAME=DIR",
    "C module and the folder of its headers; repeatable"
  ) { $0.cModules.append($1) }
  package static let locked = Self(
    "--locked",
    "never write the model; fail when the sources ask for another (for builds and CI)"
  ) { $0.generator.isLocked = true }
  package static let updateCommand = Self(
    "--update-command",
    "TEXT",
    "the command that a --locked run names to bring the model up to date"
  ) { $0.generator.updateCommand = $1 }
  package static let entitiesOf = Self(
    "--entities-of",
    "TARGET",
    "check the sources against the model of this target, which has the same entities, as --locked"
  ) {
    $0.generator.entitiesOwner = $1
    $0.generator.isLocked = true
  }
  package static let soleBindings = Self(
    "--sole-bindings",
    "fail when other generated bindings are among the sources (for builds that make them)"
  ) { $0.generator.refusesOtherBindings = true }

  /// Returns the error about an empty value: an empty path would stand for the current folder.
  package static func fault(ofEmpty name: String, _ value: String) -> String {
    "option '\(name)' has the value '', which is empty; pass a \(value), or leave the option out"
  }

  /// All options.
  package static let all = [
    sources, model, output, visibility, condition, importable, cModule, locked, updateCommand,
    entitiesOf, soleBindings,
  ]
}
