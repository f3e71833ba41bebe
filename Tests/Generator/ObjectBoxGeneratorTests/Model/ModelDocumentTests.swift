import Foundation
import ObjectBoxGenerator
import ObjectBoxTestSupport
import Testing

struct ModelDocumentTests {
  static let sample = """
    {
      "_note1": "KEEP THIS FILE! Check it into a version control system (VCS) like git.",
      "_note2": "ObjectBox manages crucial IDs for your object model. See docs for details.",
      "_note3": "If you have VCS merge conflicts, you must resolve them according to ObjectBox docs.",
      "entities": [
        {
          "id": "1:17664",
          "lastPropertyId": "3:16640",
          "name": "Nôte \\"quoted\\"",
          "flags": 2,
          "externalName": "notes",
          "properties": [
            {
              "id": "1:14592",
              "name": "id",
              "type": 6,
              "flags": 1
            },
            {
              "id": "3:16640",
              "name": "author",
              "indexId": "1:15616",
              "type": 11,
              "flags": 520,
              "relationTarget": "Author"
            }
          ],
          "relations": [
            {
              "id": "1:999936",
              "name": "tags",
              "targetId": "2:3000064"
            }
          ]
        },
        {
          "id": "2:3000064",
          "lastPropertyId": "1:3000320",
          "name": "Tag",
          "properties": [
            {
              "id": "1:3000320",
              "name": "key"
            }
          ],
          "relations": []
        }
      ],
      "lastEntityId": "2:3000064",
      "lastIndexId": "1:15616",
      "lastRelationId": "1:999936",
      "lastSequenceId": "0:0",
      "modelVersion": 5,
      "modelVersionParserMinimum": 4,
      "newUidPool": [
        5000192
      ],
      "retiredEntityUids": [],
      "retiredIndexUids": [
        7000064,
        7000320
      ],
      "retiredPropertyUids": [
        8000000
      ],
      "retiredRelationUids": [],
      "version": 1
    }
    """

  private func faults(_ text: String) -> [String] {
    ModelDocument.parse(text, path: "model.json").diagnostics.map(\.description)
  }

  @Test func `a file in the layout of the reference is written back byte for byte`() throws {
    let (model, diagnostics) = ModelDocument.parse(Self.sample, path: "model.json")
    #expect(diagnostics == [])
    #expect(try #require(model).text == Self.sample)
  }

  @Test func `an older layout is read and written in the present one`() throws {
    let old = """
      { "entities" : [ { "id" : "1:1000", "lastPropertyId" : "1:2048", "name" : "A",
        "properties" : [ { "id" : "1:2048", "name" : "id" } ] } ], "lastEntityId" : "1:1000",
        "modelVersion" : 4, "retiredEntityUids" : [
        ], "other" : { "unknown" : [1.5e3, null, true, "\\u00e9\\ud83d\\ude00"] } }
      """
    let (model, diagnostics) = ModelDocument.parse(old, path: "m")
    #expect(diagnostics == [])
    let text = try #require(model).text
    #expect(text.contains("\"modelVersion\": 5"))
    #expect(text.contains("\"lastIndexId\": \"0:0\""))
    #expect(!text.contains("other"))
    #expect(ModelDocument.parse(text, path: "m").model?.text == text)
  }

  @Test func `a merge conflict is told where it is`() {
    let text = Self.sample.replacingOccurrences(
      of: "      \"name\": \"Tag\",",
      with: "<<<<<<< HEAD\n      \"name\": \"Tag\","
    )
    #expect(faults(text).count == 1)
    #expect(faults(text)[0].hasPrefix("model.json:39:1: error: "))
    let atValue = Self.sample.replacingOccurrences(
      of: "  \"entities\": [\n",
      with: "  \"entities\": [\n<<<<<<< HEAD\n"
    )
    #expect(
      faults(atValue)[0].contains("model.json:6:1: error: the model file has a merge conflict")
    )
  }

  @Test(arguments: Array(stride(from: 0, to: 1500, by: 37)))
  func `a file that was cut is told, not taken for an empty one`(length: Int) {
    let (model, diagnostics) = ModelDocument.parse(
      String(Self.sample.prefix(length)),
      path: "model.json"
    )
    #expect(model == nil)
    #expect(diagnostics.first?.position != nil)
    #expect(diagnostics.first?.message.text.contains("version control") == true)
  }

  @Test(arguments: [
    ("\"modelVersion\": 5", "\"modelVersion\": 3", "version"),
    ("\"modelVersionParserMinimum\": 4", "\"modelVersionParserMinimum\": 6", "version 6"),
    ("\"id\": \"2:3000064\"", "\"id\": \"1:3000064\"", "ID 1, which another entity"),
    ("\"id\": \"2:3000064\",\n      \"last", "\"id\": \"2:17664\",\n      \"last", "17664"),
    ("\"lastEntityId\": \"2:3000064\"", "\"lastEntityId\": \"1:17664\"", "above lastEntityId"),
    ("\"lastEntityId\": \"2:3000064\"", "\"lastEntityId\": \"2:777\"", "777"),
    ("\"lastPropertyId\": \"3:16640\"", "\"lastPropertyId\": \"2:16640\"", "above lastPropertyId"),
    ("\"id\": \"3:16640\"", "\"id\": \"1:16640\"", "property 'author'"),
    ("\"id\": \"3:16640\"", "\"id\": \"3:14592\"", "twice"),
    ("\"id\": \"3:16640\"", "\"id\": \"3:255\"", "out of range"),
    ("8000000", "14592", "twice"),
    ("\"name\": \"Tag\"", "\"name\": \"nôte \\\"quoted\\\"\"", "'nôte"),
    ("\"id\": \"1:14592\"", "\"id\": 14592", "\"id:uid\""),
    ("\"flags\": 520", "\"flags\": -1", "-1"),
    ("\"name\": \"key\"", "\"nam\": \"key\"", "\"name\" is missing"),
    ("\"lastEntityId\": \"2:3000064\",\n", "", "no lastEntityId"),
    ("\"lastPropertyId\": \"1:3000320\",\n", "", "no lastPropertyId"),
  ])
  func `a broken model is told with its facts and a place`(
    old: String,
    new: String,
    words: String
  ) {
    let text = Self.sample.replacingOccurrences(of: old, with: new)
    #expect(text != Self.sample)
    let found = faults(text)
    #expect(found.contains { $0.contains(words) && $0.hasPrefix("model.json:") }, "\(found)")
    #expect(ModelDocument.parse(text, path: "model.json").model == nil)
  }

  @Test func `UIDs of living indexes and relations may be those of properties`() {
    let text = Self.sample.replacingOccurrences(of: "1:15616", with: "1:16640")
      .replacingOccurrences(of: "1:999936", with: "1:14592")
    #expect(faults(text) == [])
  }

  @Test(arguments: 0..<300)
  func `a random change of the text gives a model or findings with places, never a crash`(seed: Int)
  {
    var random = SplitMix(seed: seed)
    var bytes = Array(Self.sample.utf8)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 32..<127, using: &random)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(UInt8.random(in: 0..<128, using: &random), at: place)
      default:
        let end = min(bytes.count, place + Int.random(in: 1..<60, using: &random))
        bytes.replaceSubrange(place..<end, with: bytes[place..<end] + bytes[place..<end])
      }
    }
    let (model, diagnostics) = ModelDocument.parse(
      String(decoding: bytes, as: UTF8.self),
      path: "m"
    )
    if let model {
      #expect(ModelDocument.parse(model.text, path: "m").model?.text == model.text)
    } else {
      #expect(!diagnostics.isEmpty)
    }
    #expect(diagnostics.allSatisfy { $0.position != nil })
  }
}
