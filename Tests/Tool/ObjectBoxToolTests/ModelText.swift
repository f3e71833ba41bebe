import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxJSON
import ObjectBoxTestSupport

/// Schemas in the form of model files.
enum ModelText {
  /// Type and flag numbers: each type, and each integer and integer vector, signed and unsigned.
  static let types: [(name: String, type: Int, flags: Int, externalType: Int)] = [
    ("unknown", 0, 0, 0), ("bool", 1, 0, 0), ("byte", 2, 0, 0), ("ubyte", 2, 8192, 0),
    ("short", 3, 0, 0), ("ushort", 3, 8192, 0), ("char", 4, 0, 0), ("uchar", 4, 8192, 0),
    ("int", 5, 0, 0), ("uint", 5, 8192, 0), ("long", 6, 0, 0), ("ulong", 6, 8192, 0),
    ("float", 7, 0, 0), ("double", 8, 0, 0), ("string", 9, 0, 0), ("decimal", 9, 0, 103),
    ("date", 10, 0, 0), ("nanos", 12, 0, 0), ("flex", 13, 0, 0), ("bools", 22, 0, 0),
    ("bytes", 23, 0, 0), ("uuid", 23, 0, 102), ("shorts", 24, 0, 0), ("ushorts", 24, 8192, 0),
    ("chars", 25, 8192, 0), ("ints", 26, 0, 0), ("uints", 26, 8192, 0), ("longs", 27, 0, 0),
    ("ulongs", 27, 8192, 0), ("floats", 28, 0, 0), ("doubles", 29, 0, 0), ("strings", 30, 0, 0),
    ("dates", 31, 0, 0), ("nanoDates", 32, 0, 0),
  ]

  /// An entity with every type, a to-one relation, and relations of both kinds to a second entity.
  static let everything: String = {
    let properties = types.enumerated().map { index, type in
      """
      {"id":"\(index + 2):\(index + 1002)","name":"\(type.name)","type":\(type.type),"flags":\(type.flags),\
      "externalType":\(type.externalType)}
      """
    }
    let last = types.count + 2
    return """
      {"entities":[
        {"id":"1:100","lastPropertyId":"\(last):\(last + 1000)","name":"Thing","properties":[
          {"id":"1:1001","name":"id","type":6,"flags":1},
          \(properties.joined(separator: ",\n")),
          {"id":"\(last):\(last + 1000)","name":"next","type":11,"flags":520,"indexId":"1:50",
           "relationTarget":"Thing"}],
         "relations":[{"id":"1:90","name":"parts","targetId":"2:200"},
           {"id":"2:91","name":"peers","targetId":"1:100"}]},
        {"id":"2:200","lastPropertyId":"2:2002","name":"relation","properties":[
          {"id":"1:2001","name":"key","type":6,"flags":1},
          {"id":"2:2002","name":"name \\"quoted\\"\\n\\u0000","type":9}],"relations":[]}],
       "lastEntityId":"2:200","lastIndexId":"1:50","lastRelationId":"2:91"}
      """
  }()

  /// Notes with a unique slug and an author.
  static let notes = NotesModel.json

  static func schema(_ text: String) throws -> StoreSchema {
    try StoreSchema(modelJSON: try JSONParser.parse(text, path: "model"))
  }

  static func json(_ schema: StoreSchema) -> String {
    var writer = JSONWriter()
    schema.writeModelJSON(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension TemporaryDirectory {
  /// Opens or makes a store in the folder.
  func store(_ name: String, _ model: String) throws -> Store {
    var configuration = Store.Configuration(directory: path + "/" + name)
    configuration.isSharedWithOtherProcesses = true
    return try Store(schema: try ModelText.schema(model), configuration: configuration)
  }

  /// Makes a store with two authors and three notes, the last of which is removed.
  func makeNotes(_ name: String) throws {
    let store = try store(name, ModelText.notes)
    defer { store.close() }
    let authors = try store.box(named: "Author")
    let ids = try authors.put([["name": "Ada"], ["name": "Grace\u{0}Hopper"]])
    let notes = try store.box(named: "Note")
    let first = try notes.put(["slug": "one", "stars": 5, "author": ids[0]])
    let second = try notes.put(["slug": "two", "stars": -1])
    let last = try notes.put(["slug": "three"])
    try notes.add(ids, to: "readers", of: first)
    try notes.add([ids[1]], to: "readers", of: second)
    try notes.remove(last)
  }
}
