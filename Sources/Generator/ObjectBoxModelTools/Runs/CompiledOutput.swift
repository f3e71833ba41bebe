internal import Foundation
package import ObjectBoxGenerator

/// Checks whether a target would compile bindings in addition to the build plugin's bindings.
package enum CompiledOutput {
  private static let plugin = "ObjectBoxPlugin"
  /// Folders in which SwiftPM searches for targets.
  private static let parents = ["Sources", "Source", "src", "srcs", "Tests"]

  /// Returns the error for an output inside of a target that uses the build plugin.
  ///
  /// Reads the nearest `Package.swift` above the output without running it. Computed targets are
  /// not found; their builds report the second set of bindings.
  ///
  /// - Parameter output: The file of the bindings, which need not exist.
  /// - Returns: The error at the plugin in the manifest; nil when no such target compiles the
  ///   output.
  package static func finding(for output: String) -> Diagnostic? {
    let file = URL(fileURLWithPath: output).standardizedFileURL
    var folder = file.deletingLastPathComponent()
    var manifest = folder.appendingPathComponent("Package.swift")
    while !FileManager.default.fileExists(atPath: manifest.path) {
      if folder.path == "/" { return nil }
      folder.deleteLastPathComponent()
      manifest = folder.appendingPathComponent("Package.swift")
    }
    guard let text = try? String(contentsOf: manifest, encoding: .utf8), text.contains(plugin),
      let path = path(of: file, below: folder)
    else { return nil }
    for target in PackageManifest(SourceFile(path: manifest.path, text: text)).targets {
      guard let use = target.plugins.first(where: { $0.name == plugin }),
        isCompiled(path, by: target, in: folder)
      else { continue }
      return Diagnostic(.pluginMakesBindings(of: target.name, output), at: use.position)
    }
    return nil
  }

  /// Returns the components of a file's path below a folder; nil for a file elsewhere.
  private static func path(of file: URL, below folder: URL) -> [String]? {
    let (all, start) = (file.pathComponents, folder.pathComponents)
    return all.starts(with: start) ? Array(all.dropFirst(start.count)) : nil
  }

  private static func isCompiled(
    _ path: [String],
    by target: PackageManifest.Target,
    in package: URL
  ) -> Bool {
    let usual = parents.map { "\($0)/\(target.name)" }
    let existing = usual.filter {
      FileManager.default.fileExists(atPath: package.appendingPathComponent($0).path)
    }
    // The sources of a package with one target may be in `Sources` itself.
    let folders = target.path.map { [$0] } ?? (existing.isEmpty ? ["Sources"] : existing)
    return folders.contains { folder in
      let parts = components(folder)
      guard path.starts(with: parts) else { return false }
      let inner = path.dropFirst(parts.count)
      // SwiftPM ignores hidden files and folders, such as `.build`.
      return !inner.contains { $0.hasPrefix(".") }
        && !target.excluded.contains { inner.starts(with: components($0)) }
    }
  }

  private static func components(_ path: String) -> [String] {
    path.split(separator: "/").map(String.init).filter { $0 != "." }
  }
}

extension DiagnosticMessage {
  static func pluginMakesBindings(of target: String, _ output: String) -> Self {
    "the build plugin makes the bindings of target '\(target)', so those in '\(output)' would be declared "
      + "twice; write them where no target compiles them, such as with --output .build, or remove the "
      + "plugin from the target"
  }
}
