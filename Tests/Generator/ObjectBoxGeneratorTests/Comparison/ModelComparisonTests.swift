import Foundation
import ObjectBoxGenerator
import ObjectBoxModelTools
import Testing

struct ModelComparisonTests {
  private static let base = """
    entity 1:1000 Note
    property 1:2000 id long flags 1
    property 2:2001 title string flags 8 index 1:3000
    property 3:2002 count int
    property 4:2003 author relation flags 520 index 2:3001 target Author
    relation 1:4000 tags to 2:1001
    entity 2:1001 Author
    property 1:2100 id long flags 1
    property 2:2101 name string
    """

  private func differences(_ changes: (old: String, new: String)...) throws -> [ModelDifference] {
    var text = Self.base
    for change in changes {
      #expect(text.contains(change.old), "\(change.old)")
      text = text.replacingOccurrences(of: change.old, with: change.new)
    }
    return ModelComparison.differences(from: try model(Self.base), to: try model(text))
  }

  @Test func `a model does not differ from itself`() throws {
    #expect(try differences() == [])
  }

  private static let changes: [(String, String, String, String)] = [
    ("entity 2:1001 Author", "entity 2:1001 Writer", "entityRenamed", "nothing changes"),
    ("property 3:2002 count", "property 3:2002 number", "propertyRenamed", "nothing changes"),
    ("count int", "count long", "propertyRetyped", "refused"),
    ("count int", "count int flags 8192", "propertySign", "other numbers"),
    ("property 3:2002 count int\n", "last property 4:2003\n", "propertyRemoved", "bytes go"),
    ("name string", "name string\nproperty 3:2102 age int", "propertyAdded", "have no value"),
    ("count int", "count int flags 8 index 3:3003", "indexAdded", "filled"),
    (" flags 8 index 1:3000", "", "indexRemoved", "dropped"),
    ("flags 8 index 1:3000", "flags 2056 index 1:3000", "indexChanged", "built anew"),
    ("flags 8 index 1:3000", "flags 8 index 3:3003", "indexReplaced", "built anew"),
    ("flags 8 index 1:3000", "flags 40 index 1:3000", "uniqueAdded", "share a value"),
    ("to 2:1001", "to 1:1000", "relationTarget", "other entity"),
    ("target Author", "target Note", "propertyTarget", "other entity"),
    ("relation 1:4000 tags to 2:1001\n", "last relation 1:4000\n", "relationRemoved", "links"),
    ("name string", "name string\nrelation 2:4001 all to 1:1000", "relationAdded", "stay"),
    ("1:4000 tags", "1:4000 labels", "relationRenamed", "nothing changes"),
    ("1:4000 tags to 2:1001", "1:4000 tags to 2:1001 external x", "relationExternal", "stay"),
    ("2:1001 Author", "2:1001 Author flags 2", "entityFlags", "stay"),
    ("2:1001 Author", "2:1001 Author external x", "entityExternalName", "stay"),
    ("name string", "name string external x", "propertyExternal", "stay"),
    ("name string", "name string externalType 102", "propertyExternal", "stay"),
    ("name string", "name string flags 16384", "propertyFlags", "stay"),
    ("id long flags 1\nproperty 2:2001", "id long\nproperty 2:2001", "propertyFlags", "refused"),
    ("3:2002 count", "5:2002 count", "propertyMoved", "old ID"),
  ]

  @Test(arguments: changes)
  func `each difference is told with what it does to stored data`(
    old: String,
    new: String,
    kind: String,
    words: String
  ) throws {
    let found = try differences((old, new))
    let match = try #require(found.first { $0.kind.rawValue == kind }, "\(found)")
    #expect(match.effect.contains(words), "\(match.effect)")
    #expect(found.filter { $0.kind != match.kind && $0.kind != .lastIDLowered } == [])
  }

  @Test func `external types are told by name, reserved ones by number`() throws {
    let old = ("name string", "name byteVector externalType 102")
    let found = ModelComparison.differences(
      from: try model(Self.base.replacingOccurrences(of: old.0, with: old.1)),
      to: try model(
        Self.base.replacingOccurrences(of: old.0, with: "name byteVector externalType 101")
      )
    )
    #expect(found.map(\.before) == ["type uuid"])
    #expect(found.map(\.after) == ["type 101"])
    let retyped = try differences(old).first { $0.kind == .propertyRetyped }
    #expect(retyped?.before == "string")
    #expect(retyped?.after == "byteVector (uuid)")
  }

  @Test func `an added and a removed entity are told, and a reset one is no silent deletion`()
    throws
  {
    let removed = ModelComparison.differences(
      from: try model(Self.base),
      to: try model("entity 2:1001 Author\nproperty 1:2100 id long flags 1\nlast property 2:2101")
    )
    #expect(removed.map(\.kind.rawValue).contains("entityRemoved"))
    #expect(
      removed.contains { $0.effect.contains("stores keep them until `discardRetiredData()`") }
    )
    let added = try differences(("name string", "name string\nentity 3:1002 Tag"))
    #expect(added.map(\.kind) == [.entityAdded])
    let reset = try differences(("2:1001 Author", "3:1002 Author"), ("to 2:1001", "to 3:1002"))
    let gone = try #require(reset.first { $0.kind == .entityRemoved })
    #expect(gone.effect.contains("new entity of the same name starts empty"))
  }

  @Test func `an ID that another element took over means a refused store, not a deletion`() throws {
    let entity = try differences(("2:1001 Author", "2:1777 Author"), ("to 2:1001", "to 2:1777"))
    let gone = try #require(entity.first { $0.kind == .entityRemoved })
    #expect(gone.effect.contains("refused"))
    let property = try differences(("3:2002 count", "3:2777 count"))
    let lost = try #require(property.first { $0.kind == .propertyRemoved })
    #expect(lost.effect.contains("refused"))
  }

  @Test func `a last ID that goes down is told, since stores with it are refused`() throws {
    let old = try model(Self.base + "\nlast entity 9:1900\nlast index 9:3900")
    let found = ModelComparison.differences(from: old, to: try model(Self.base))
    #expect(found.map(\.kind) == [.lastIDLowered, .lastIDLowered])
    #expect(found[0].text.contains("was 9 with UID 1900, and is 2 with UID 1001"))
    #expect(found[0].effect.contains("refused"))
  }

  @Test func `a target that was only renamed is the same target`() throws {
    let found = try differences(
      ("2:1001 Author", "2:1001 Writer"),
      ("target Author", "target Writer")
    )
    #expect(found.map(\.kind) == [.entityRenamed])
  }

  @Test func `types that mean the same bytes keep their values`() throws {
    let old = try model("entity 1:1000 A\nproperty 1:2000 data byteVector")
    let new = try model("entity 1:1000 A\nproperty 1:2000 data flex")
    let found = ModelComparison.differences(from: old, to: new)
    #expect(found.map(\.kind) == [.propertyRetyped])
    #expect(found[0].effect.contains("stored values stay"))
  }

  @Test func `the report for people marks each line and counts`() throws {
    let found = try differences(("property 3:2002 count", "property 3:2002 number"))
    let text = try DifferenceReport.text(found, as: .text)
    #expect(
      text == """
        ~ the name of property 'number' of entity 'Note' was 'count', and is 'number'
            data: nothing changes in a store: elements are found by ID and UID, not by name
        1 difference

        """
    )
    #expect(try DifferenceReport.text([], as: .text) == "the models say the same\n")
  }

  @Test func `the report for programs is JSON with UIDs as texts`() throws {
    let found = try differences(("count int", "count long"))
    let text = try DifferenceReport.text(found, as: .json)
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let list = try #require((object as? [String: Any])?["differences"] as? [[String: Any]])
    #expect(list.count == 1)
    #expect(list[0]["kind"] as? String == "propertyRetyped")
    #expect(list[0]["uid"] as? String == "2002")
    #expect(list[0]["before"] as? String == "int")
    #expect(list[0]["after"] as? String == "long")
    #expect((list[0]["effect"] as? String)?.contains("refused") == true)
  }
}
