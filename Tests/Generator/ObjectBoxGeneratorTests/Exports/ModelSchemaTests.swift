import Foundation
import ObjectBoxGenerator
import ObjectBoxModelTools
import ObjectBoxTestSupport
import Testing

struct ModelSchemaTests {
  /// An entity with a property of every type, and names that are invalid in other languages.
  static let everything: String = {
    var lines = ["entity 1:1000 Every", "property 1:20000 id long flags 1"]
    for (index, type) in SchemaPropertyType.allCases.enumerated() where type != .relation {
      let id = 10 + 2 * index
      lines.append("property \(id):\(20000 + id) \(type) \(type)")
      lines.append("property \(id + 1):\(20001 + id) \(type)Unsigned \(type) flags 8192")
    }
    lines += [
      "property 90:20090 größe int", "property 91:20091 gr__e int", "property 92:20092 1st int",
      "property 93:20093 Table int", "property 94:20094 untyped none",
      "property 95:20095 owner relation flags 520 index 1:3000 target table",
      "last property 97:20097", "relation 1:4000 all to 2:1001", "entity 2:1001 table",
      "property 1:21000 id long flags 1", "property 2:21001 removed_3 int",
      // The lines become JSON unchanged, so quotes are escaped here.
      "property 4:21002 Every int", #"entity 3:1002 a/b~c\"d"#,
      #"property 1:22000 key\\\"x long flags 1"#,
    ]
    return lines.joined(separator: "\n")
  }()

  private func text(_ format: ModelSchema.Format) throws -> String {
    try ModelSchema.text(of: try model(Self.everything), title: "all \"kinds\"", as: format)
  }

  @Test func `a table has a field for every ID up to the last, and deprecated ones for gaps`()
    throws
  {
    let lines = """
      entity 1:1000 Note
      property 1:2000 id long flags 1
      property 3:2002 count short flags 8192
      property 4:2003 made date
      last property 5:2004
      """
    let text = try ModelSchema.text(of: try model(lines), title: "m", as: .flatBuffers)
    let table = text[try #require(text.range(of: "/// Entity")).lowerBound...]
    #expect(
      table == """
        /// Entity 'Note', ID 1.
        table Note {
          /// The object ID.
          id:ulong (id: 0);
          /// Stands for a property that was removed.
          removed_2:bool (id: 1, deprecated);
          count:ushort (id: 2);
          /// Milliseconds since 1970 in UTC.
          made:long (id: 3);
          /// Stands for a property that was removed.
          removed_5:bool (id: 4, deprecated);
        }

        """
    )
  }

  @Test func `a UUID is a text in JSON and bytes in tables`() throws {
    let lines = """
      entity 1:1000 Note
      property 1:2000 id long flags 1
      property 2:2001 key byteVector flags 40 index 1:3000 externalType 102
      property 3:2002 data byteVector externalType 126
      """
    let json = try ModelSchema.text(of: try model(lines), title: "m", as: .json)
    #expect(json.contains(#""type": ["string", "null"], "format": "uuid""#))
    #expect(json.contains("Property with ID 2, byteVector (uuid), unique."))
    #expect(json.contains("Property with ID 3, byteVector, bytes as Base64."))
    let tables = try ModelSchema.text(of: try model(lines), title: "m", as: .flatBuffers)
    #expect(tables.contains("/// The 16 bytes of a UUID. Unique.\n  key:[ubyte] (id: 1);"))
  }

  @Test func `a decimal is a text with its format`() throws {
    let lines = """
      entity 1:1000 Note
      property 1:2000 id long flags 1
      property 2:2001 price string flags 8 index 1:3000 externalType 103
      """
    let json = try ModelSchema.text(of: try model(lines), title: "m", as: .json)
    #expect(json.contains(#""type": ["string", "null"], "format": "decimal""#))
    #expect(json.contains("Property with ID 2, string (decimal)"))
    let tables = try ModelSchema.text(of: try model(lines), title: "m", as: .flatBuffers)
    #expect(tables.contains("/// A decimal number as text.\n  price:string (id: 1);"))
  }

  @Test func `every type has its field, and no name is given twice`() throws {
    let text = try text(.flatBuffers)
    for field in [
      "boolVector:[bool]", "byteUnsigned:ubyte", "charVector:[ushort]", "dateNano:long",
      "flex:[ubyte]", "stringVector:[string]", "intVectorUnsigned:[uint]", "owner:ulong",
      "doubleVector:[double]", "gr__e:int", "gr__e_2:int", "_1st:int", "Table_3:int",
    ] {
      #expect(text.contains("  \(field) (id: "), "\(field)")
    }
    #expect(text.contains("untyped:bool (id: 93, deprecated);"))
    // All IDs from 0 to the last, in order.
    let every = text.components(separatedBy: "table ")[1]
    let ids = every.components(separatedBy: "(id: ").dropFirst().compactMap {
      Int($0.prefix { $0.isNumber })
    }
    #expect(ids == Array(0..<97))
  }

  @Test(.enabled(if: FlatBuffersCompiler.path != nil, "flatc is not installed"))
  func `the FlatBuffers compiler takes the schema`() throws {
    let folder = try TemporaryDirectory()
    try folder.write(try text(.flatBuffers), to: "model.fbs")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(FlatBuffersCompiler.path))
    process.arguments = ["--binary", "--schema", "model.fbs"]
    process.currentDirectoryURL = folder.url
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(FileManager.default.fileExists(atPath: folder.path + "/model.bfbs"))
  }

  @Test func `an entity with more properties than a table has fields is refused`() throws {
    let lines = "entity 1:1000 Note\nproperty 1:2000 id long\nlast property 4294967295:2004"
    #expect {
      _ = try ModelSchema.text(of: try model(lines), title: "m", as: .flatBuffers)
    } throws: { error in
      "\(error)".contains("'Note' has had 4294967295 properties")
    }
    #expect(throws: Never.self) {
      _ = try ModelSchema.text(of: try model(lines), title: "m", as: .json)
    }
  }

  @Test func `the JSON Schema parses, and describes every entity, property and relation`() throws {
    let object = try JSONSerialization.jsonObject(with: Data(try text(.json).utf8))
    let root = try #require(object as? [String: Any])
    #expect(root["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    #expect(root["title"] as? String == "all \"kinds\"")
    let definitions = try #require(root["$defs"] as? [String: [String: Any]])
    #expect(Set(definitions.keys) == ["Every", "table", "a/b~c\"d"])
    let references = try #require(root["anyOf"] as? [[String: String]]).compactMap { $0["$ref"] }
    #expect(references == ["#/$defs/Every", "#/$defs/table", "#/$defs/a~1b~0c%22d"])
    let every = try #require(definitions["Every"])
    #expect(every["required"] as? [String] == ["id"])
    try expectProperties(try #require(every["properties"] as? [String: [String: Any]]))
  }

  private func expectProperties(_ properties: [String: [String: Any]]) throws {
    #expect(properties.count == 2 + 2 * (SchemaPropertyType.allCases.count - 1) + 6)
    #expect(properties["id"]?["type"] as? String == "integer")
    #expect(properties["byte"]?["minimum"] as? Int == -128)
    #expect(properties["byteUnsigned"]?["maximum"] as? Int == 255)
    #expect(properties["string"]?["type"] as? [String] == ["string", "null"])
    #expect(properties["flex"]?["contentEncoding"] as? String == "base64")
    #expect(properties["untyped"]?["type"] == nil)
    let items = properties["shortVector"]?["items"] as? [String: Any]
    #expect(items?["maximum"] as? Int == 32767)
    #expect((properties["all"]?["items"] as? [String: Any])?["type"] as? String == "integer")
  }

  @Test func `a model without entities gives schemas that nothing fits`() throws {
    let text = try ModelSchema.text(of: ModelDocument(), title: "none", as: .json)
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect(object?["anyOf"] == nil)
    #expect((object?["not"] as? [String: Any])?.isEmpty == true)
    let tables = try ModelSchema.text(of: ModelDocument(), title: "none", as: .flatBuffers)
    #expect(!tables.contains("table "))
  }
}

/// The FlatBuffers compiler, if it is installed.
private enum FlatBuffersCompiler {
  static let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { "\($0)/flatc" }.first(where: FileManager.default.isExecutableFile)
}
