import Foundation
import PackagePlugin

/// The tool call that generates a target's bindings, in packages and in Xcode projects.
struct BindingsCommand {
  var targetName: String
  var tool: GeneratorTool
  /// The arguments that name the sources and define their `#if` conditions.
  var reading: [String]
  var model: URL
  var output: URL
  /// The access level of generated declarations; nil for the tool's default.
  var visibility: String?
  /// The target that writes the model; nil if this target does so.
  var owner: String?

  /// Returns the file for a target's bindings.
  static func output(of targetName: String, in folder: URL) -> URL {
    folder.appending(path: "EntityInfo-\(targetName).generated.swift")
  }

  /// The arguments of a call that may also write the model.
  var arguments: [String] {
    reading + ["--model-json", model.path, "--output", output.path]
      + (visibility.map { ["--visibility", $0] } ?? [])
  }

  /// Returns the build command, which never writes the model.
  ///
  /// - Parameters:
  ///   - updateCommand: The command that error messages name to update the model.
  ///   - inputs: The files that affect the bindings, besides the model and the settings.
  ///   - folder: The folder that may hold the plugin's settings.
  /// - Returns: A command that fails the build when sources and model disagree.
  func buildCommand(
    updatedBy updateCommand: String,
    inputs: [URL],
    settingsIn folder: URL
  ) -> Command {
    let settings = folder.appending(path: GeneratorConfiguration.fileName)
    let present = [model, settings].filter { FileManager.default.fileExists(atPath: $0.path) }
    // SwiftPM may reuse a build plan after the installed tool was replaced. The tool is therefore
    // an input of the command, and checks its own version.
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
