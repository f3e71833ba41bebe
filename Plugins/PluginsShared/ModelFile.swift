import Foundation
import PackagePlugin

/// The content of `objectbox-generator.json` in the root of a package.
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

  /// Reads the file; an absent one counts as empty.
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

/// The error that stops a plugin.
struct PluginFault: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}

/// The model file of a target.
struct ModelFile {
  var url: URL
  var exists: Bool

  /// Finds the model file of a target, the first that exists: the one that the configuration names;
  /// `model-<Target>.json` in the target's folder, then in the package root; `model.json` in either.
  ///
  /// A `model.json` in the root with the entities of another target is not used.
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
    if let own = Self.own(of: target, in: root) {
      url = own
      exists = true
      return
    }
    let common = root.appending(path: "model.json")
    let hasCommon = FileManager.default.fileExists(atPath: common.path)
    if hasCommon, !Self.isOfOther(common, than: target, in: package, configuration) {
      url = common
      exists = true
      return
    }
    let sources = package.targets.compactMap { $0 as? any SourceModuleTarget }
    let isSingle = sources.filter { $0.kind != .test }.count == 1 && target.kind != .test
    url = isSingle && !hasCommon ? common : root.appending(path: Self.ownName(of: target))
    exists = false
  }

  /// Returns a target that may have entities and would use the same model file.
  func otherUser(
    than target: any SourceModuleTarget,
    in package: Package,
    _ configuration: GeneratorConfiguration
  ) -> (any SourceModuleTarget)? {
    package.targets.compactMap { $0 as? any SourceModuleTarget }.first { other in
      other.name != target.name && other.mayHaveEntities
        && ModelFile(of: other, in: package, configuration).url == url
    }
  }

  /// The name of a model file that belongs to one target.
  static func ownName(of target: any SourceModuleTarget) -> String { "model-\(target.name).json" }

  /// Returns the existing file of the target alone.
  private static func own(of target: any SourceModuleTarget, in root: URL) -> URL? {
    let name = ownName(of: target)
    return [
      target.directoryURL.appending(path: name), root.appending(path: name),
      target.directoryURL.appending(path: "model.json"),
    ].first {
      $0 != root.appending(path: "model.json") && FileManager.default.fileExists(atPath: $0.path)
    }
  }

  /// Returns whether the model in the root holds entities of another target, and none of this one.
  private static func isOfOther(
    _ model: URL,
    than target: any SourceModuleTarget,
    in package: Package,
    _ configuration: GeneratorConfiguration
  ) -> Bool {
    // A target without entities needs no model.
    guard target.mayHaveEntities else { return false }
    let names = EntityNames.read(from: model)
    if names.isEmpty || target.declares(names) { return false }
    return package.targets.compactMap { $0 as? any SourceModuleTarget }.contains { other in
      other.name != target.name && configuration.targets[other.name]?.model == nil
        && own(of: other, in: package.directoryURL) == nil && other.declares(names)
    }
  }
}

/// The names of the entities of a model file.
private struct EntityNames: Decodable {
  private struct Entity: Decodable {
    var name: String
  }

  private var entities: [Entity]?

  /// Reads a file; one that cannot be read has no names, and the tool reports the error.
  static func read(from model: URL) -> [String] {
    let decoded = (try? Data(contentsOf: model)).flatMap { data in
      try? JSONDecoder().decode(Self.self, from: data)
    }
    return decoded?.entities?.map(\.name) ?? []
  }
}

extension SourceModuleTarget {
  /// Returns whether a file may declare one of the entities, by its type or by the name in a text.
  fileprivate func declares(_ names: [String]) -> Bool {
    swiftFiles.contains { file in
      guard let text = try? String(contentsOf: file, encoding: .utf8) else { return false }
      return names.contains { name in
        let word = NSRegularExpression.escapedPattern(for: name)
        let pattern = "\\b(class|struct)\\s+`?\(word)\\b|name\\s*=\\s*[\"']?\(word)\\b"
        return text.contains(name) && text.range(of: pattern, options: .regularExpression) != nil
      }
    }
  }

  /// The command that brings the model of the target up to date.
  var updateCommand: String {
    "swift package --allow-writing-to-package-directory objectbox-generator --target \(name)"
  }

  /// The Swift sources of the target itself, without what plugins made.
  var swiftFiles: [URL] {
    sourceFiles(withSuffix: ".swift").filter { $0.type == .source }.map(\.url)
      .sorted { $0.path < $1.path }
  }

  /// True when a file may declare an entity; the tool parses the files.
  var mayHaveEntities: Bool { swiftFiles.mayHaveEntities }
}

extension [URL] {
  /// True when the text of a file may declare an entity.
  var mayHaveEntities: Bool {
    contains { file in
      guard let text = try? String(contentsOf: file, encoding: .utf8) else { return false }
      return text.contains("objectbox:")
        || text.range(of: "[:,][ \\t]*(ObjectBox\\.)?Entity\\b", options: .regularExpression) != nil
    }
  }
}
