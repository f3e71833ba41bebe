import Foundation
import ObjectBoxGenerator
import ObjectBoxModelTools
import Testing

struct ModelMergeConflictTests {
  private func conflicts(_ ours: String, _ theirs: String) throws -> [String] {
    let result = try MergeSample.merge(ours, theirs)
    #expect(result.model == nil)
    #expect(result.diagnostics.allSatisfy { $0.isError })
    return result.diagnostics.map(\.description)
  }

  private func edit(_ old: String, _ new: String) -> String { MergeSample.edit(old, new) }

  @Test(arguments: [
    ("title string", "headline string", "caption string", "the name of property 'title'"),
    ("title string", "title int", "title long", "is int in ours and long in theirs"),
    ("title string", "title int", "title int flags 8192", "int in ours and unsigned int in theirs"),
    ("1:1000 Note", "1:1000 Memo", "1:1000 Paper", "is 'Memo' in ours and 'Paper' in theirs"),
    (
      "title string", "title string flags 8 index 1:3000",
      "title string flags 2088 index 1:3001", "the index of property 'title' of entity 'Note'"
    ),
    ("1:1000 Note", "1:1000 Note external a", "1:1000 Note external b", "the external name"),
    (
      "title string", "title string\nproperty 3:2002 x int",
      "title string\nproperty 3:2003 X string", "2002 in ours and 2003 in theirs"
    ),
    (
      "1:1000 Note", "3:1002 Tag\nentity 1:1000 Note", "3:1003 tag\nentity 1:1000 Note",
      "stands in both with different UIDs"
    ),
    (
      "title string", "title string\nproperty 3:2002 x int",
      "title string\nproperty 3:2002 y int", "the UID 2002 is property 'x' of entity 'Note' in ours"
    ),
    (
      "1:1000 Note", "3:9000 Tag\nentity 1:1000 Note",
      "1:1000 Note\nproperty 3:9000 x int", "the UID 9000 is entity 'Tag' in ours"
    ),
    (
      "title string", "title string\nrelation 1:4000 all to 1:1000",
      "title string\nrelation 1:4001 all to 2:1001",
      "relation 'all' of entity 'Note' stands in both"
    ),
    (
      "2:2001 title string", "2:2001 title relation flags 520 index 1:3000 target Author",
      "2:2001 title relation flags 520 index 1:3000 target Note",
      "is 'Author' in ours and 'Note' in theirs"
    ),
  ])
  func `what both sides did differently is a conflict, told with both sides`(
    old: String,
    ours: String,
    theirs: String,
    words: String
  ) throws {
    let found = try conflicts(edit(old, ours), edit(old, theirs))
    #expect(found.contains { $0.contains(words) && $0.contains("error: conflict: ") }, "\(found)")
    #expect(found.allSatisfy { $0.hasPrefix("model.json:") && $0.contains("merge again") })
  }

  @Test func `an element that one side removed and the other changed is a conflict`() throws {
    let removed =
      edit("property 2:2001 title string\n", "last property 2:2001\n") + "\nretired property 2001"
    let renamed = edit("title string", "headline string")
    #expect(try conflicts(removed, renamed)[0].contains("ours removed it and theirs changed it"))
    #expect(try conflicts(renamed, removed)[0].contains("theirs removed it and ours changed it"))
    let withoutNote =
      "entity 2:1001 Author\nproperty 1:2100 id long flags 1\nproperty 2:2101 name string\n"
      + "retired entity 1000\nretired property 2000\nretired property 2001"
    let grown = edit("title string", "title string\nproperty 3:2002 count int")
    #expect(try conflicts(withoutNote, grown)[0].contains("entity 'Note'"))
  }

  @Test func `a relation to an entity that the other side removed is a conflict`() throws {
    let ours =
      "entity 1:1000 Note\nproperty 1:2000 id long flags 1\nproperty 2:2001 title string\n"
      + "last entity 2:1001\nretired entity 1001\nretired property 2100\nretired property 2101"
    let toOne = edit(
      "title string",
      "title string\nproperty 3:2002 by relation flags 520 index 1:3000 target Author"
    )
    let toMany = edit("title string", "title string\nrelation 1:4000 all to 2:1001")
    #expect(try conflicts(ours, toOne)[0].contains("points to entity 'Author'"))
    #expect(try conflicts(toMany, ours)[0].contains("points to entity 'Author'"))
  }

  @Test func `an addition that one side picked and removed again is a conflict`() throws {
    let ours = MergeSample.base + "\nlast entity 3:1002\nretired entity 1002"
    let theirs = MergeSample.base + "\nentity 3:1002 Tag"
    #expect(try conflicts(ours, theirs)[0].contains("a removed UID never comes back"))
    #expect(try conflicts(theirs, ours)[0].contains("a removed UID never comes back"))
  }

  @Test func `two new IDs of one entity are a conflict`() throws {
    let ours = edit(
      "1:2000 id long flags 1\nproperty 2:2001 title string",
      "1:2000 id long\nproperty 2:2001 title string flags 1"
    )
    let theirs = edit("1:2000 id long flags 1", "1:2000 id long\nproperty 3:2002 key long flags 1")
    #expect(try conflicts(ours, theirs)[0].contains("the ID of entity 'Note': 'title' and 'key'"))
  }

  @Test func `all conflicts of a merge are told at once, with the place in ours`() throws {
    let found = try conflicts(
      edit("title string", "headline string").replacingOccurrences(
        of: "name string",
        with: "a int"
      ),
      edit("title string", "caption string").replacingOccurrences(of: "name string", with: "b long")
    )
    #expect(found.count == 3)
    let lines = try model(edit("title string", "headline string")).text.split(separator: "\n")
    let line = try #require(lines.firstIndex { $0.contains("\"id\": \"2:2001\"") })
    #expect(found.contains { $0.hasPrefix("model.json:\(line + 1):") }, "\(found)")
  }
}
