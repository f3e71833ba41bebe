package import Foundation
import Testing

/// Model files of some entities of a test target: the present ones, and the earlier ones, made from
/// what the present model keeps of the old properties.
package struct MigratedModel {
  private let present: URL
  private let folder: String
  private let entities: [String]

  /// Takes the model file of a test target, which is beside the caller; all entities without names.
  package init(
    _ target: String,
    folder: String,
    entities: [String] = [],
    file: String = #filePath
  ) {
    present = URL(fileURLWithPath: file).deletingLastPathComponent()
      .appendingPathComponent("model-\(target).json")
    self.folder = folder
    self.entities = entities
  }

  /// Writes a model file; the earlier one has the old properties in place of those that come from
  /// them, and further changes of each entity.
  package func write(
    isEarlier: Bool,
    change: (_ name: String, inout [String: Any]) throws -> Void = { _, _ in }
  ) throws -> URL {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: present))
    var model = try #require(json as? [String: Any])
    let all = try #require(model["entities"] as? [[String: Any]])
    func name(_ entity: [String: Any]) -> String { entity["name"] as? String ?? "" }
    var chosen = all.filter { entities.isEmpty || entities.contains(name($0)) }
    try #require(entities.isEmpty || chosen.count == entities.count)
    if isEarlier {
      for index in chosen.indices {
        try makeEarlier(&chosen[index])
        try change(name(chosen[index]), &chosen[index])
      }
      if chosen.count == 1 {
        model["lastIndexId"] = "0:0"
        model["lastRelationId"] = "0:0"
      }
      model["retiredPropertyUids"] = [UInt64]()
    }
    model["entities"] = chosen
    let url = URL(fileURLWithPath: folder + "/\(isEarlier ? "earlier" : "present").json")
    try JSONSerialization.data(withJSONObject: model).write(to: url)
    return url
  }

  private func makeEarlier(_ entity: inout [String: Any]) throws {
    let properties = try #require(entity["properties"] as? [[String: Any]])
    var known: Set<String> = []
    entity["properties"] = properties.flatMap { property -> [[String: Any]] in
      let old = Self.sources(of: property)
      if old.isEmpty { return [property] }
      return old.filter { known.insert($0["id"] as? String ?? "").inserted }
    }
  }

  /// The old properties of a migrated one; empty for others.
  private static func sources(of property: [String: Any]) -> [[String: Any]] {
    func source(_ id: Any, _ name: Any?, _ type: Any?) -> [String: Any] {
      ["id": id, "name": name ?? "", "type": type ?? 0]
    }
    if let id = property["migratedFrom"] {
      return [source(id, property["migratedFromName"], property["migratedFromType"])]
    }
    guard let ids = property["migratedFromProperties"] as? [String],
      let names = property["migratedFromNames"] as? [String],
      let types = property["migratedFromTypes"] as? [Int]
    else { return [] }
    return ids.indices.map { source(ids[$0], names[$0], types[$0]) }
  }
}
