import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport

/// A model file with properties of all types, and a store under it.
final class DynamicStore {
  let folder: TemporaryDirectory
  private(set) var store: Store
  let people: DynamicBox
  let dogs: DynamicBox
  let things: DynamicBox

  init() throws {
    folder = try TemporaryDirectory()
    store = try Self.open(folder)
    people = try store.box(named: "Person")
    dogs = try store.box(named: "Dog")
    things = try store.box(named: "Thing")
  }

  static func open(
    _ folder: TemporaryDirectory,
    _ model: String = DynamicStore.model,
    readOnly: Bool = false
  ) throws -> Store {
    let file = try folder.write(model, to: "model.json")
    return try Store(
      directoryPath: folder.path + "/store",
      modelJSON: URL(fileURLWithPath: file),
      readOnly: readOnly
    )
  }

  private static let types = [
    ("bool", 1, 0), ("byte", 2, 0), ("ubyte", 2, 8192), ("short", 3, 0), ("ushort", 3, 8192),
    ("char", 4, 0), ("int", 5, 0), ("uint", 5, 8192), ("long", 6, 0), ("ulong", 6, 8192),
    ("float", 7, 0), ("double", 8, 0), ("string", 9, 0), ("date", 10, 0), ("nanos", 12, 0),
    ("flex", 13, 0), ("bools", 22, 0), ("bytes", 23, 0), ("shorts", 24, 0), ("chars", 25, 8192),
    ("ints", 26, 0), ("uints", 26, 8192), ("longs", 27, 0), ("floats", 28, 0), ("doubles", 29, 0),
    ("strings", 30, 0), ("dates", 31, 0), ("nanoDates", 32, 0), ("must", 5, 4),
  ]

  static let model = """
    {
      "entities": [
        {
          "id": "1:1000", "lastPropertyId": "9:1009", "name": "Person",
          "properties": [
            { "id": "1:1001", "name": "id", "type": 6, "flags": 1 },
            { "id": "2:1002", "name": "name", "type": 9 },
            { "id": "3:1003", "name": "email", "type": 9, "flags": 2080, "indexId": "1:1100" },
            { "id": "4:1004", "name": "age", "type": 5, "flags": 8, "indexId": "2:1101" },
            { "id": "5:1005", "name": "photo", "type": 23 },
            { "id": "6:1006", "name": "born", "type": 10, "flags": 8, "indexId": "3:1102" },
            { "id": "7:1007", "name": "boss", "type": 11, "flags": 520, "indexId": "4:1103",
              "relationTarget": "Person" },
            { "id": "8:1008", "name": "city", "type": 9, "flags": 40, "indexId": "5:1104",
              "collation": "nocase" },
            { "id": "9:1009", "name": "key", "type": 23, "externalType": 102 }
          ],
          "relations": [
            { "id": "1:1200", "name": "dogs", "targetId": "2:2000", "onDelete": "cascade" }
          ],
          "compoundIndexes": [
            { "id": "6:1105", "properties": ["2:1002", "4:1004"], "unique": true }
          ]
        },
        {
          "id": "2:2000", "lastPropertyId": "2:2002", "name": "Dog",
          "properties": [
            { "id": "1:2001", "name": "id", "type": 6, "flags": 129 },
            { "id": "2:2002", "name": "name", "type": 9 }
          ],
          "relations": []
        },
        {
          "id": "3:3000", "lastPropertyId": "31:3031", "name": "Thing",
          "properties": [
            { "id": "1:3001", "name": "id", "type": 6, "flags": 1 },
            \(types.enumerated().map { index, type in
              "{ \"id\": \"\(index + 2):\(index + 3002)\", \"name\": \"\(type.0)\", "
                + "\"type\": \(type.1), \"flags\": \(type.2) }"
            }.joined(separator: ",\n        ")),
            { "id": "31:3031", "name": "uuid", "type": 23, "externalType": \(ExternalPropertyType.uuid.rawValue) }
          ],
          "relations": []
        }
      ],
      "lastEntityId": "3:3000",
      "lastIndexId": "6:1105",
      "lastRelationId": "1:1200",
      "lastSequenceId": "0:0",
      "modelVersion": 5,
      "modelVersionParserMinimum": 4,
      "retiredEntityUids": [],
      "retiredIndexUids": [7000064],
      "retiredPropertyUids": [8000000],
      "retiredRelationUids": [],
      "version": 1
    }
    """
}

/// Returns the message of the error that a block throws.
func message(of block: () throws -> Void) -> String {
  do {
    try block()
    return "no error"
  } catch {
    return "\(error)"
  }
}
