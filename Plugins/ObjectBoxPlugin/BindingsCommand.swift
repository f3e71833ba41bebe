import Foundation
import PackagePlugin

/// The call of the tool that writes the bindings of a target, in packages and in Xcode projects.
struct BindingsCommand {
  var targetName: String
  var tool: GeneratorTool
  /// The arguments that name the sources and decide their conditions.
  var reading: [String]
  var model: URL
  var output: URL
  /// The access of generated declarations, or nil for the tool's own choice.
  var visibility: String?
  /// The target that writes the model, where that is another one.
  var owner: String?

  /// The file of the bindings of a target.
  static func output(of targetName: String, in folder: URL) -> URL {
    folder.appending(path: "EntityInfo-\(targetName).generated.swift")
  }

  /// The arguments of a call that may write the model.
  var arguments: [String] {
    reading + ["--model-json", model.path, "--output", output.path]
      + (visibility.map { ["--visibility", $0] } ?? [])
  }

  /// Returns the command of a build, which reads the model only.
  ///
  /// - Parameters:
  ///   - updateCommand: The command that findings name for writing the model.
  ///   - inputs: Files whose changes may change the bindings, besides the model and the settings.
  ///   - folder: The folder that may hold the plugin's settings.
  /// - Returns: The command, which stops the build when sources and model disagree.
  func buildCommand(
    updatedBy updateCommand: String,
    inputs: [URL],
    settingsIn folder: URL
  ) -> Command {
    let settings = folder.appending(path: GeneratorConfiguration.fileName)
    let present = [model, settings].filter { FileManager.default.fileExists(atPath: $0.path) }
    // SwiftPM keeps the plan of a build while another tool takes the place of an installed one. The tool is
    // therefore an input of the command, and checks its version itself.
    let version = tool.isInstalled ? ["--require-version", ProductVersion.text] : []
    return .buildCommand(
      displayName: "Generating ObjectBox bindings of \(targetName)"
        + (tool.isInstalled ? " by the installed generator \(ProductVersion.text)" : ""),
      executable: tool.url,
      arguments: version + arguments + [
        "--locked", "--sole-bindings", "--update-command", updateCommand,
      ]
        + (owner.map { ["--entities-of", $0] } ?? []),
      inputFiles: inputs + present + (tool.isInstalled ? [tool.url] : []),
      outputFiles: [output]
    )
  }
}
