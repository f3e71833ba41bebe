import Foundation
import Testing

@testable import ObjectBoxGenerator
@testable import ObjectBoxModelTools

struct ModelMergeTests {
  private func merge(_ ours: String, _ theirs: String) throws -> ModelMerge.Result {
    try MergeSample.merge(ours, theirs)
  }

  private func merged(
    _ ours: String,
    _ theirs: String,
    base: String = MergeSample.base
  ) throws -> ModelDocument {
    let result = try MergeSample.merge(ours, theirs, base: base)
    return try #require(result.model, "\(result.diagnostics.map(\.description))")
  }

  private func edit(_ old: String, _ new: String) -> String { MergeSample.edit(old, new) }

  @Test func `two new entities with the same ID both stay, and theirs gets the next`() throws {
    let ours = MergeSample.base + "\nentity 3:1002 Tag\nproperty 1:2200 id long flags 1"
    let theirs = MergeSample.base + "\nentity 3:1003 Place\nproperty 1:2300 id long flags 1"
    let result = try merge(ours, theirs)
    let expected =
      MergeSample.base + """

        entity 3:1002 Tag
        property 1:2200 id long flags 1
        entity 4:1003 Place
        property 1:2300 id long flags 1
        """
    #expect(result.model?.text == (try model(expected)).text)
    #expect(result.diagnostics.count == 1)
    let note = try #require(result.diagnostics.first?.description)
    #expect(note.contains("note: entity 'Place' had ID 3 in theirs and gets ID 4"))
    #expect(note.contains("refused"))
  }

  @Test func `new properties and indexes of both sides stay under their UIDs`() throws {
    let ours = edit(
      "title string",
      "title string\nproperty 3:2002 count int flags 8 index 1:3000"
    )
    let theirs = edit(
      "title string",
      "title string flags 8 index 1:3001\nproperty 3:2003 place string flags 8 index 2:3002"
    )
    let result = try merge(ours, theirs)
    // Index 2 of theirs is free in ours and stays; index 1 of theirs gets the next ID.
    let expected = edit(
      "title string",
      """
      title string flags 8 index 3:3001
      property 3:2002 count int flags 8 index 1:3000
      property 4:2003 place string flags 8 index 2:3002
      """
    )
    #expect(result.model?.text == (try model(expected)).text)
    #expect(result.diagnostics.map(\.message.severity) == [.note])
    #expect(
      result.diagnostics[0].description
        .contains("property 'place' of entity 'Note' had ID 3 in theirs and gets ID 4")
    )
  }

  @Test func `new relations with the same ID both stay, and follow a target that moved`() throws {
    let ours =
      edit("title string", "title string\nrelation 1:4000 authors to 2:1001")
      + "\nentity 3:1002 Tag"
    let theirs =
      edit("title string", "title string\nrelation 1:4001 places to 3:1003")
      + "\nentity 3:1003 Place"
    let expected =
      edit(
        "title string",
        "title string\nrelation 1:4000 authors to 2:1001\nrelation 2:4001 places to 4:1003"
      ) + "\nentity 3:1002 Tag\nentity 4:1003 Place"
    try #expect(merged(ours, theirs).text == model(expected).text)
  }

  @Test func `changes of different elements and traits are all taken`() throws {
    let ours = edit("title string", "headline string").replacingOccurrences(
      of: "1:1000 Note",
      with: "1:1000 Memo"
    )
    let theirs = edit("title string", "title string flags 8 index 1:3000").replacingOccurrences(
      of: "1:1000 Note",
      with: "1:1000 Note flags 2 external notes"
    )
    let expected = edit("title string", "headline string flags 8 index 1:3000")
      .replacingOccurrences(of: "1:1000 Note", with: "1:1000 Memo flags 2 external notes")
    try #expect(merged(ours, theirs).text == model(expected).text)
  }

  @Test func `a removal and another change are both taken, and retired lists are united`() throws {
    let ours =
      edit("property 2:2001 title string\n", "last property 2:2001\n") + "\nretired property 2001"
    let theirs =
      "entity 1:1000 Note\nproperty 1:2000 id long flags 1\nproperty 2:2001 title string\n"
      + "last entity 2:1001\nretired entity 1001\nretired property 2100\nretired property 2101"
    let expected =
      "entity 1:1000 Note\nproperty 1:2000 id long flags 1\nlast property 2:2001\n"
      + "last entity 2:1001\nretired entity 1001\nretired property 2001\n"
      + "retired property 2100\nretired property 2101"
    try #expect(merged(ours, theirs).text == model(expected).text)
  }

  @Test func `a retype on one side is taken, with its sign`() throws {
    let theirs = edit("title string", "title long flags 8192")
    try #expect(merged(MergeSample.base, theirs).text == model(theirs).text)
    try #expect(merged(theirs, MergeSample.base).text == model(theirs).text)
  }

  @Test func `a target that one side renames is followed by a relation of the other`() throws {
    let ours = edit("2:1001 Author", "2:1001 Writer")
    let theirs = edit(
      "title string",
      "title string\nproperty 3:2002 by relation flags 520 index 1:3000 target Author"
    )
    let expected = theirs.replacingOccurrences(of: "2:1001 Author", with: "2:1001 Writer")
      .replacingOccurrences(of: "target Author", with: "target Writer")
    try #expect(merged(ours, theirs).text == model(expected).text)
    try #expect(merged(theirs, ours).text == model(expected).text)
  }

  @Test func `the pools of new UIDs are united without those that were used since`() throws {
    let ours = MergeSample.base + "\npool 9000\npool 9001"
    let theirs = MergeSample.base + "\nentity 3:9000 Tag\npool 9002"
    let pool = try merged(ours, theirs).newUIDPool
    #expect(pool == [9001, 9002])
  }

  @Test func `without a common version everything is new`() throws {
    let ours = "entity 1:1000 Note\nproperty 1:2000 id long flags 1"
    let theirs = "entity 1:1001 Tag\nproperty 1:2001 id long flags 1"
    let expected = ours + "\nentity 2:1001 Tag\nproperty 1:2001 id long flags 1"
    try #expect(merged(ours, theirs, base: "").text == model(expected).text)
  }

  @Test func `the same element on both sides, as after picking a commit, is one`() throws {
    let both = MergeSample.base + "\nentity 3:1002 Tag\nproperty 1:2200 id long flags 1"
    try #expect(merged(both, both).text == model(both).text)
    let moved =
      MergeSample.base + "\nentity 3:1003 Place\nentity 4:1002 Tag\nproperty 1:2200 id long flags 1"
    try #expect(merged(moved, both).text == model(moved).text)
  }

  @Test func `a branch that takes over a merge keeps the IDs of the merge`() throws {
    // The first merge moved Tag from 3 to 4; the branch continues with Tag at 3 and a new entity.
    let base = MergeSample.base + "\nentity 3:1002 Tag"
    let branch = base + "\nentity 4:1004 Late"
    let main = MergeSample.base + "\nentity 3:1003 Place\nentity 4:1002 Tag"
    let expected = main + "\nentity 5:1004 Late"
    try #expect(merged(branch, main, base: base).text == model(expected).text)
    try #expect(merged(main, branch, base: base).text == model(expected).text)
  }

  @Test func `an ID that ours used and gave up is not given again`() throws {
    let ours = MergeSample.base + "\nlast entity 3:1002\nretired entity 1002"
    let theirs = MergeSample.base + "\nentity 3:1003 Place"
    let expected = MergeSample.base + "\nentity 4:1003 Place\nretired entity 1002"
    try #expect(merged(ours, theirs).text == model(expected).text)
  }

  @Test func `the last ID goes beyond what a removed element of theirs used`() throws {
    let ours = MergeSample.base + "\nentity 3:1002 Tag"
    let theirs = MergeSample.base + "\nlast entity 3:1003\nretired entity 1003"
    let result = try merged(ours, theirs)
    // A store of theirs has 3:1003; a model with 3:1002 would refuse it.
    #expect(result.lastEntityID == ModelID(id: 4, uid: 1003))
    #expect(result.text == (try model(ours + "\nlast entity 4:1003\nretired entity 1003")).text)
  }

  @Test func `an index that both sides gave a property is kept once`() throws {
    let ours = edit("title string", "title string flags 8 index 1:3000")
    let theirs = edit("title string", "title string flags 8 index 1:3001")
    let result = try merge(ours, theirs)
    let expected = ours + "\nlast index 2:3001\nretired index 3001"
    #expect(result.model?.text == (try model(expected)).text)
    #expect(result.diagnostics.map(\.message.text).first?.contains("the UID 3001") == true)
  }

  @Test func `an index that one side removes is gone, and one it replaces is the new one`() throws {
    let base = edit("title string", "title string flags 8 index 1:3000")
    let removed = MergeSample.base + "\nlast index 1:3000\nretired index 3000"
    let replaced =
      edit("title string", "title string flags 2056 index 2:3001") + "\nretired index 3000"
    for (ours, theirs) in [(base, removed), (removed, base)] {
      try #expect(merged(ours, theirs, base: base).text == model(removed).text)
    }
    for (ours, theirs) in [(base, replaced), (replaced, base)] {
      try #expect(merged(ours, theirs, base: base).text == model(replaced).text)
    }
  }
}
