import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import Testing

import ObjectBoxTool

/// Lines that cannot be stored, loads that end early, and stores with another schema.
struct LoadTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private static let header = """
    {"objectboxDump":1,"entities":[{"entity":"Note","lastId":0},{"entity":"Author","lastId":0}],\
    "relations":[{"relation":1}],"model":\(ModelText.notes.replacingOccurrences(of: "\n", with: " "))}
    """

  /// Returns the message of a load, and the number of objects stored afterwards.
  private func load(
    _ lines: [String],
    into store: Store,
    batchSize: Int? = nil
  ) throws -> (message: String, stopped: Load.Stopped?) {
    let path = try folder.write(lines.joined(separator: "\n"), to: "dump.jsonl")
    do {
      let load = try Load(try InputLines(path))
      try load.check(against: store.schema)
      _ = try load.run(into: store, batchSize: batchSize)
      return ("", nil)
    } catch let stopped as Load.Stopped {
      let text = "\(stopped.cause)".replacingOccurrences(of: folder.path + "/", with: "")
      return (text, stopped)
    } catch {
      return ("\(error)".replacingOccurrences(of: folder.path + "/", with: ""), nil)
    }
  }

  @Test(
    arguments: [
      ("{\"Note\":1", "3:10: found no JSON: the line ends where ',' or '}' is expected"),
      ("{\"Note\":{\"id\":1}} x", "3:19: found no JSON: there is text behind the end of the value"),
      ("[1]", "3:1: found an array, and an object of an entity is expected"),
      ("{}", "3:1: found an object, and an object of an entity is expected"),
      (
        #"{"Page":{"id":1}}"#,
        "3:2: found the key \"Page\", and an entity of this dump is expected: \"Author\", \"Note\""
      ),
      (
        #"{"Note":1}"#,
        "3:9: found the number 1, and an object with the values of 'Note' is expected"
      ),
      (#"{"Note":{}}"#, #"3:9: found an object, and an object with "id" is expected"#),
      (
        #"{"Note":{"id":0}}"#,
        "3:15: 'Note.id' is the number 0, and an ID from 1 to 18446744073709551614 is"
      ),
      (
        #"{"Note":{"id":18446744073709551615}}"#,
        "3:15: 'Note.id' is the number 18446744073709551615, and an ID"
      ),
      (#"{"Note":{"id":-1}}"#, "3:15: 'Note.id' is the number -1, and an ID"),
      (#"{"Note":{"id":"1"}}"#, "3:15: 'Note.id' is the text \"1\", and an ID"),
      (
        #"{"Note":{"id":2,"stars":1000}}"#,
        "3:25: 'Note.stars' is the number 1000, and a whole number from -128 to 127 is expected"
      ),
      (
        #"{"Note":{"id":2,"stars":1.5}}"#,
        "3:25: 'Note.stars' is the number 1.5, and a whole number"
      ),
      (#"{"Note":{"id":2,"slug":true}}"#, "3:24: 'Note.slug' is a Boolean, and a text is expected"),
      (
        #"{"Note":{"id":2,"star":1}}"#,
        "3:17: found the key \"star\", and a property of 'Note' is expected: 'slug', 'stars', 'author'"
      ),
      (
        #"{"Note":{"id":2},"Author":{}}"#,
        "3:18: found the key \"Author\" behind an object, and the end of"
      ),
      (#"{"Note":{"id":2,"slug":"taken"}}"#, "3:9: unique constraint on 'Note.slug'"),
      (
        #"{"relation":7,"source":1,"targets":[]}"#,
        "3:13: found the number 7, and the ID of a relation of this"
      ),
      (
        #"{"relation":1,"targets":[]}"#,
        #"3:1: found an object, and an object with "source" is expected"#
      ),
      (
        #"{"relation":1,"source":1,"targets":3}"#,
        "3:36: found the number 3, and an array is expected"
      ),
      (
        #"{"relation":1,"source":1,"targets":["a"]}"#,
        "3:37: found the text \"a\", and an ID is expected"
      ),
      (
        #"{"relation":1,"source":1,"targets":[9]}"#,
        "3:37: found a pair of relation 1 whose objects are not both stored: there is no 'Author' with ID 9"
      ),
    ]
  )
  func
    `a bad line is told with its place, what was found and what is expected, and nothing is stored`(
      line: String,
      message: String
    ) throws
  {
    let store = try folder.store("notes", ModelText.notes)
    defer { store.close() }
    let result = try load(
      [Self.header, #"{"Note":{"id":1,"slug":"taken"}}"#, line, ""],
      into: store
    )
    #expect(result.message.hasPrefix("dump.jsonl:" + message), "\(result.message)")
    #expect(result.stopped?.stored == 0)
    #expect(try store.box(named: "Note").count() == 0)
  }

  @Test(
    arguments: [
      ("", "1:1: found the end of the input, and a dump is expected"),
      ("\u{7f}ELF", "1:1: found no JSON: a value is expected here"),
      ("{\"a\":1}", "1:1: found an object, and the first line of a dump is expected"),
      (
        header.replacingOccurrences(of: "Dump\":1", with: "Dump\":2"),
        "1:18: the dump has the version the number 2"
      ),
      (
        header.replacingOccurrences(of: "\"model\"", with: "\"x\""),
        #"1:1: found an object, and an object with "model""#
      ),
      (
        header.replacingOccurrences(of: "{\"entity\":\"Note\"", with: "{\"entity\":\"N\""),
        "1:42: the text \"N\" is none"
      ),
      (
        header.replacingOccurrences(of: "{\"relation\":1", with: "{\"relation\":3"),
        ": the number 3 is none of the"
      ),
      (
        header.replacingOccurrences(of: "\"lastId\":0", with: "\"lastId\":-1"),
        ": found the number -1, and an ID is"
      ),
      (
        header.replacingOccurrences(of: "\"lastId\":0", with: "\"lastId\":18446744073709551615"),
        ": found the number 18446744073709551615, and an ID up to 18446744073709551614 is"
      ),
      (
        header.replacingOccurrences(of: "\"type\":9", with: "\"type\":99"),
        "the model has a property of type 99"
      ),
    ]
  )
  func `a file that is no dump, or one of a newer version, is refused`(
    text: String,
    message: String
  ) throws {
    let path = try folder.write(text, to: "dump.jsonl")
    do {
      _ = try Load(try InputLines(path))
      Issue.record("accepted")
    } catch {
      #expect("\(error)".contains(message), "\(error)")
      #expect("\(error)".contains("dump.jsonl:1:"))
    }
  }

  @Test func `a dump that was cut off is told, and nothing is stored`() throws {
    try folder.makeNotes("notes")
    let store = try folder.store("notes", ModelText.notes)
    defer { store.close() }
    let lines = String(decoding: try MemoryOutput.dump(store), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    let copy = try folder.store("copy", ModelText.notes)
    defer { copy.close() }
    let withoutPairs = try load(Array(lines.dropLast()), into: copy)
    #expect(
      withoutPairs.message
        == "dump.jsonl:7:1: found the end of the dump after 2 pairs of relation 1, and 3 are expected"
    )
    let withoutObject = try load(lines.filter { !$0.contains("\"two\"") }.dropLast(), into: copy)
    #expect(withoutObject.message.contains("after 1 object of 'Note', and 2 are expected"))
    #expect(try MemoryOutput.dump(copy).count < 2000)
    #expect(try copy.box(named: "Author").count() == 0)
  }

  @Test func `batches before a bad line stay, and the same load goes on once the line is right`()
    throws
  {
    let store = try folder.store("notes", ModelText.notes)
    defer { store.close() }
    var lines = [Self.header] + (1...50).map { #"{"Note":{"id":\#($0),"slug":"s\#($0)"}}"# }
    let good = lines[33]
    lines[33] = #"{"Note":{"id":33,"slug":33}}"#
    let result = try load(lines, into: store, batchSize: 10)
    #expect(result.message.hasPrefix("dump.jsonl:34:25: 'Note.slug' is the number 33"))
    #expect(result.stopped?.stored == 30)
    #expect(result.stopped?.line == 31)
    #expect(try store.box(named: "Note").count() == 30)
    lines[33] = good
    #expect(try load(lines, into: store, batchSize: 10).message == "")
    #expect(try store.box(named: "Note").count() == 50)
    #expect(try load(lines, into: store, batchSize: 10).message == "")
    #expect(try store.box(named: "Note").count() == 50)
  }

  @Test func `objects replace those with their IDs, and others stay`() throws {
    try folder.makeNotes("notes")
    let store = try folder.store("notes", ModelText.notes)
    defer { store.close() }
    let line = #"{"Note":{"id":2,"slug":"other","author":null}}"#
    #expect(try load([Self.header, "", line, " "], into: store).message == "")
    let notes = try store.box(named: "Note")
    #expect(try notes.get(2)?["slug"] as? String == "other")
    #expect(try notes.get(2)?["stars"] == nil)
    #expect(try notes.get(1)?["slug"] as? String == "one")
  }

  @Test func `a store of another schema is refused with all differences`() throws {
    let model = ModelText.notes
      .replacingOccurrences(of: #""name":"stars","type":2"#, with: #""name":"stars","type":3"#)
      .replacingOccurrences(of: "2:2002\",\"name\":\"name\"", with: "2:2009\",\"name\":\"name\"")
      .replacingOccurrences(of: #""name":"author""#, with: #""name":"writer""#)
    let store = try folder.store("notes", model)
    defer { store.close() }
    let result = try load([Self.header, #"{"Note":{"id":1}}"#], into: store)
    for text in [
      "the store has another schema than the dump, so nothing is stored",
      "property 'Note.stars' has the type byte in the dump, and short in the store",
      "property 'Note.author' is not in the store",
      "property 'Note.writer' of the store is not in the dump",
      "property 'Author.name' has the identity 2:2002 in the dump, and 2:2009 in the store",
    ] {
      #expect(result.message.contains(text), "\(result.message)")
    }
    #expect(try store.box(named: "Note").count() == 0)
  }

  @Test func `a schema has one form as a model, from which it is read back`() throws {
    for text in [ModelText.notes, ModelText.everything] {
      let schema = try ModelText.schema(text)
      let json = ModelText.json(schema)
      #expect(try ModelText.schema(json) == schema)
      #expect(ModelText.json(try ModelText.schema(json)) == json)
    }
  }
}
