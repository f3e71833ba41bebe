import Foundation
import Testing

/// Model files of some entities of this module alone: the present ones, and the earlier ones, made
/// from what the present model keeps of the old properties.
struct MigratedModel {
  let folder: String
  let entities: [String]

  /// Writes a model file.
  func write(isEarlier: Bool) throws -> URL {
    let present = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("model-ObjectBoxGeneratedCodeTests.json")
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: present))
    var model = try #require(json as? [String: Any])
    let all = try #require(model["entities"] as? [[String: Any]])
    var chosen = all.filter { entities.contains($0["name"] as? String ?? "") }
    try #require(chosen.count == entities.count)
    if isEarlier {
      for index in chosen.indices { try makeEarlier(&chosen[index]) }
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
