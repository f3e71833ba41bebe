#if canImport(XcodeProjectPlugin)
  import Foundation
  import PackagePlugin
  import XcodeProjectPlugin

  /// Generates the bindings of targets of Xcode projects.
  ///
  /// Written after the documentation of `XcodeProjectPlugin`, and not tried in Xcode. Xcode tells plugins neither the
  /// conditions of a target nor its modules: the former count as not defined, `canImport` of the latter both ways.
  extension ObjectBoxPlugin: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      let files = target.inputFiles.map(\.url).filter { $0.pathExtension == "swift" }
        .sorted { $0.path < $1.path }
      // A target of views or tests must not retire the entities of the model that the project shares.
      guard files.mayHaveEntities else { return [] }
      let folder = context.xcodeProject.directoryURL
      let name = target.displayName
      let settings = try GeneratorConfiguration.read(from: folder).targets[name]
      let bindings = BindingsCommand(
        targetName: name,
        tool: try context.tool(named: "objectbox-generator").url,
        reading: files.flatMap { ["--sources", $0.path] },
        model: model(of: name, settings, in: folder),
        output: BindingsCommand.output(of: name, in: context.pluginWorkDirectoryURL),
        visibility: settings?.visibility
      )
      return [
        bindings.buildCommand(
          updatedBy: shellCommand([bindings.tool.path] + bindings.arguments),
          inputs: files,
          settingsIn: folder
        )
      ]
    }

    /// Returns the model that the settings name, else the target's own where it exists, else `model.json`.
    private func model(
      of name: String,
      _ settings: GeneratorConfiguration.Target?,
      in folder: URL
    ) -> URL {
      if let named = settings?.model {
        return URL(filePath: named, relativeTo: folder).standardizedFileURL.absoluteURL
      }
      let own = folder.appending(path: "model-\(name).json")
      let hasOwn = FileManager.default.fileExists(atPath: own.path)
      return hasOwn ? own : folder.appending(path: "model.json")
    }

    private func shellCommand(_ words: [String]) -> String {
      words.map { "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'" }
        .joined(separator: " ")
    }
  }
#endif
