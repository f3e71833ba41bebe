import ObjectBoxGenerator
import Testing

/// Makes a model from short lines; IDs are `id:uid`, and the last ones are the greatest unless stated.
///
///     entity 1:1000 Note
///     property 1:2000 title string flags 8 index 1:3000
///     relation 1:4000 tags to 2:1001
///     last entity 3:1002
///     retired property 2005
///     pool 9000
func model(
  _ lines: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws -> ModelDocument {
  let text = ModelLines(lines).text
  let (model, diagnostics) = ModelDocument.parse(text, path: "lines")
  #expect(diagnostics.map(\.description) == [], sourceLocation: sourceLocation)
  return try #require(model, sourceLocation: sourceLocation)
}

/// The JSON of a model that is written as lines.
struct ModelLines {
  private struct Entity {
    var members: String
    var lastProperty = "0:0"
    var properties: [String] = []
    var relations: [String] = []
  }

  private var entities: [Entity] = []
  private var last = ["entity": "0:0", "index": "0:0", "relation": "0:0"]
  private var retired: [String: [String]] = [:]
  private var pool: [String] = []

  init(_ lines: String) {
    for line in lines.split(whereSeparator: \.isNewline) {
      let words = line.split(separator: " ").map(String.init)
      switch words.first {
      case "entity":
        note("entity", words[1])
        entities.append(
          Entity(
            members: "\"id\": \"\(words[1])\", \"name\": \"\(words[2])\""
              + members(words.dropFirst(3))
          )
        )
      case "property":
        let type = SchemaPropertyType.allCases.first { "\($0)" == words[3] }
        var text = "{ \"id\": \"\(words[1])\", \"name\": \"\(words[2])\""
        if let type { text += ", \"type\": \(type.rawValue)" }
        text += members(words.dropFirst(4)) + " }"
        let end = entities.count - 1
        entities[end].properties.append(text)
        entities[end].lastProperty = greater(entities[end].lastProperty, words[1])
      case "relation":
        note("relation", words[1])
        entities[entities.count - 1].relations.append(
          "{ \"id\": \"\(words[1])\", \"name\": \"\(words[2])\"" + members(words.dropFirst(3))
            + " }"
        )
      case "last" where words[1] == "property":
        entities[entities.count - 1].lastProperty = words[2]
      case "last": last[words[1]] = words[2]
      case "retired": retired[words[1], default: []].append(words[2])
      case "pool": pool.append(words[1])
      default: Issue.record("no such line: \(line)")
      }
    }
  }

  private func greater(_ left: String, _ right: String) -> String {
    func number(_ id: String) -> Int { Int(id.split(separator: ":")[0]) ?? 0 }
    return number(left) < number(right) ? right : left
  }

  private mutating func note(_ kind: String, _ id: String) {
    last[kind] = greater(last[kind] ?? "0:0", id)
  }

  private mutating func members(_ words: ArraySlice<String>) -> String {
    var rest = words
    var text = ""
    while let key = rest.popFirst(), let value = rest.popFirst() {
      switch key {
      case "flags": text += ", \"flags\": \(value)"
      case "index":
        note("index", value)
        text += ", \"indexId\": \"\(value)\""
      case "target": text += ", \"relationTarget\": \"\(value)\""
      case "to": text += ", \"targetId\": \"\(value)\""
      case "external": text += ", \"externalName\": \"\(value)\""
      case "externalType": text += ", \"externalType\": \(value)"
      default: Issue.record("no such word: \(key)")
      }
    }
    return text
  }

  var text: String {
    let list = entities.map { entity in
      """
      { \(entity.members), "lastPropertyId": "\(entity.lastProperty)",
        "properties": [\(entity.properties.joined(separator: ",\n"))],
        "relations": [\(entity.relations.joined(separator: ",\n"))] }
      """
    }
    let retiredLists = ["Entity", "Index", "Property", "Relation"].map { kind in
      "\"retired\(kind)Uids\": [\((retired[kind.lowercased()] ?? []).joined(separator: ", "))]"
    }
    return """
      { "entities": [\(list.joined(separator: ",\n"))],
        "lastEntityId": "\(last["entity"] ?? "")", "lastIndexId": "\(last["index"] ?? "")",
        "lastRelationId": "\(last["relation"] ?? "")",
        \(pool.isEmpty ? "" : "\"newUidPool\": [\(pool.joined(separator: ", "))],")
        \(retiredLists.joined(separator: ", ")), "modelVersion": 5 }
      """
  }
}
