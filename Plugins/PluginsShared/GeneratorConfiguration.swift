import Foundation

/// The content of `objectbox-generator.json` in the root of a package or next to an Xcode project.
struct GeneratorConfiguration: Codable {
  /// The entry of one target.
  struct Target: Codable {
    /// The model file, relative to the folder of the configuration.
    var model: String?
    /// The access level of generated declarations.
    var visibility: String?
    /// The target that declares the same entities and writes their model.
    var entitiesOf: String?

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case model, visibility, entitiesOf
    }

    /// The first key with an empty text, which as a path would name the folder; nil without one.
    var emptyKey: String? {
      [("model", model), ("visibility", visibility), ("entitiesOf", entitiesOf)]
        .first { $0.1?.isEmpty == true }?.0
    }

    init() {}

    init(from decoder: any Decoder) throws {
      try UnknownKey.check(decoder, known: CodingKeys.allCases)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      model = try container.decodeIfPresent(String.self, forKey: .model)
      visibility = try container.decodeIfPresent(String.self, forKey: .visibility)
      entitiesOf = try container.decodeIfPresent(String.self, forKey: .entitiesOf)
    }
  }

  var targets: [String: Target] = [:]

  static let fileName = "objectbox-generator.json"

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case targets
  }

  init() {}

  init(from decoder: any Decoder) throws {
    try UnknownKey.check(decoder, known: CodingKeys.allCases)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    targets = try container.decodeIfPresent([String: Target].self, forKey: .targets) ?? [:]
  }

  /// Reads the file in a folder; a missing file counts as empty.
  ///
  /// - Parameters:
  ///   - folder: The root of the package or the folder of the Xcode project.
  ///   - targetNames: The names of the targets that have sources.
  /// - Returns: The content, in which each owner of a target in `targetNames` is valid: a target
  ///   with sources and without an owner.
  /// - Throws: ``PluginFault`` with the place of the first invalid entry.
  static func read(
    from folder: URL,
    targetNames: [String]
  ) throws -> GeneratorConfiguration {
    let file = folder.appending(path: fileName)
    guard FileManager.default.fileExists(atPath: file.path) else { return GeneratorConfiguration() }
    let text: String
    let configuration: GeneratorConfiguration
    do {
      text = try String(contentsOf: file, encoding: .utf8)
      configuration = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    } catch let unknown as UnknownKey {
      let place = ConfigurationPlace(file, path: unknown.path)
      throw PluginFault("\(place): error: \(unknown)")
    } catch {
      throw PluginFault(
        "\(file.path):1:1: error: the file cannot be read: \(error); it must look like "
          + "{\"targets\": {\"App\": {\"model\": \"model-App.json\", \"visibility\": \"public\"}}}"
      )
    }
    for name in configuration.targets.keys.sorted() {
      if let key = configuration.targets[name]?.emptyKey {
        let place = ConfigurationPlace(file, path: ["targets", name, key])
        throw PluginFault(
          "\(place): error: '\(key)' of target '\(name)' is empty; give it a value, or remove it"
        )
      }
      if let fault = configuration.ownerFault(of: name, targetNames: targetNames) {
        let place = ConfigurationPlace(file, path: ["targets", name, "entitiesOf"])
        throw PluginFault("\(place): error: \(fault)")
      }
    }
    return configuration
  }

  /// Returns the file's text, on one line, after a change of one target's entry.
  func text(changing name: String, by change: (inout Target) -> Void) -> String {
    var changed = self
    change(&changed.targets[name, default: Target()])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding strings as JSON never fails.
    return (try? encoder.encode(changed)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// Returns why the target's `entitiesOf` is invalid, or nil.
  private func ownerFault(of name: String, targetNames: [String]) -> String? {
    guard let entry = targets[name], let owner = entry.entitiesOf else { return nil }
    if owner == name {
      return "target '\(name)' names itself as the owner of its entities; remove 'entitiesOf', or "
        + "name the target whose entities it has"
    }
    if entry.model != nil {
      return "target '\(name)' has 'entitiesOf' and 'model'; remove 'model', since it uses the "
        + "model of '\(owner)'"
    }
    if let next = targets[owner]?.entitiesOf {
      let advice =
        next == name
        ? "remove 'entitiesOf' of the one that writes the model" : "name the owner, '\(next)'"
      return "target '\(name)' names '\(owner)' as the owner of its entities, which itself has the "
        + "entities of '\(next)'; \(advice)"
    }
    // A manifest may leave out both a target and its owner on some machines.
    guard targetNames.contains(name), !targetNames.contains(owner) else { return nil }
    let others = targetNames.filter { $0 != name }.map { "'\($0)'" }
    let advice =
      others.isEmpty ? "remove 'entitiesOf'" : "use one of: \(others.joined(separator: ", "))"
    return "target '\(name)' names '\(owner)' as the owner of its entities, and there is no such "
      + "target with sources; \(advice)"
  }
}
