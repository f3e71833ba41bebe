import Foundation
import PackagePlugin

/// What `objectbox-generator.json` in the root of a package may say.
struct GeneratorConfiguration: Decodable {
  struct Target: Decodable {
    /// The model file, relative to the root of the package.
    var model: String?
    /// The access of generated declarations.
    var visibility: String?
  }

  var targets: [String: Target] = [:]

  static let fileName = "objectbox-generator.json"

  private enum CodingKeys: CodingKey {
    case targets
  }

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    targets = try container.decodeIfPresent([String: Target].self, forKey: .targets) ?? [:]
  }

  /// Reads the file; an absent one says nothing.
  static func read(from package: URL) throws -> GeneratorConfiguration {
    let file = package.appending(path: fileName)
    guard FileManager.default.fileExists(atPath: file.path) else { return GeneratorConfiguration() }
    do {
      return try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
    } catch {
      throw PluginFault(
        "\(file.path):1:1: error: the file cannot be read: \(error); it must look like "
          + "{\"targets\": {\"App\": {\"model\": \"model-App.json\", \"visibility\": \"public\"}}}"
      )
    }
  }
}

/// Why a plugin stops.
struct PluginFault: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Which model file a target uses.
struct ModelFile {
  var url: URL
  var exists: Bool

  /// Finds the model file of a target, the first that exists: the one that the configuration names;
  /// `model-<Target>.json` in the target's folder, then in the package root; `model.json` in either.
  ///
  /// When none exists: the named one, else `model.json` in the root of a package with a single target
  /// besides its tests, else `model-<Target>.json` there.
  init(
    of target: any SourceModuleTarget,
    in package: Package,
    _ configuration: GeneratorConfiguration
  ) {
    let root = package.directoryURL
    if let named = configuration.targets[target.name]?.model {
      url = URL(filePath: named, relativeTo: root).standardizedFileURL.absoluteURL
      exists = FileManager.default.fileExists(atPath: url.path)
      return
    }
    let own = "model-\(target.name).json"
    let candidates = [
      target.directoryURL.appending(path: own), root.appending(path: own),
      target.directoryURL.appending(path: "model.json"), root.appending(path: "model.json"),
    ]
    if let found = candidates.first(where: { FileManager.default.fileExists(atPath: $0.path) }) {
      url = found
      exists = true
      return
    }
    let sources = package.targets.compactMap { $0 as? any SourceModuleTarget }
    let isSingle = sources.filter { $0.kind != .test }.count == 1 && target.kind != .test
    url = root.appending(path: isSingle ? "model.json" : own)
    exists = false
  }
}

extension SourceModuleTarget {
  /// The Swift sources of the target itself, without what plugins made.
  var swiftFiles: [URL] {
    sourceFiles(withSuffix: ".swift").filter { $0.type == .source }.map(\.url)
      .sorted { $0.path < $1.path }
  }

  /// True when a file may declare an entity; the tool finds out for certain.
  var mayHaveEntities: Bool {
    swiftFiles.contains { file in
      guard let text = try? String(contentsOf: file, encoding: .utf8) else { return false }
      return text.contains("objectbox:")
        || text.range(of: "[:,][ \\t]*(ObjectBox\\.)?Entity\\b", options: .regularExpression) != nil
    }
  }
}
