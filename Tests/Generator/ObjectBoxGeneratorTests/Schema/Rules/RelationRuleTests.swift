import ObjectBoxGenerator
import Testing

/// To-one and to-many relations, and the counterparts of backlinks.
struct RelationRuleTests {
  private static let memo = "final class Memo: Entity { var id: Id = 0; init() {} }"

  private func schema(_ text: String) -> Schema {
    let result = SchemaBuilder.build([SourceFile(path: "Note.swift", text: text)])
    #expect(result.diagnostics.map(\.description) == [])
    return result.schema
  }

  private func entity(_ name: String, in text: String) throws -> SchemaEntity {
    try #require(schema(text).entities.first { $0.typeName == name })
  }

  @Test func `a to-one is a property of type relation with an index that skips zero`() throws {
    let note = try entity(
      "Note",
      in: "class Note: Entity { var id: Id = 0; var memo: ToOne<Memo> = nil }\n" + Self.memo
    )
    let property = try #require(note.properties.last)
    #expect(property.type == .relation)
    #expect(property.flags.rawValue == 520)
    #expect(property.databaseName == "memo")
    #expect(property.relationTarget == "Memo")
    #expect(property.index == .value)
  }

  @Test func `the target of a to-one is named as in the database`() throws {
    let note = try entity(
      "Note",
      in: """
        class Note: Entity {
          var id: Id = 0
          // objectbox: name = "theMemo"
          var memo: ToOne<Outer.Memo> = nil
        }
        enum Outer {
          // objectbox: name = "Leaflet"
          class Memo: Entity { var id: Id = 0 }
        }
        """
    )
    #expect(note.properties.last?.databaseName == "theMemo")
    #expect(note.properties.last?.relationTarget == "Leaflet")
    #expect(note.properties.last?.targetType == "Outer.Memo")
  }

  @Test func `a unique to-one keeps its flags`() throws {
    let note = try entity(
      "Note",
      in: """
        class Note: Entity {
          var id: Id = 0
          // objectbox: unique
          var memo: ToOne<Memo> = nil
        }
        \(Self.memo)
        """
    )
    #expect(note.properties.last?.flags.rawValue == 552)
  }

  @Test(arguments: ["ToMany<Memo>", "ToMany<Memo, Note>", "ObjectBox.ToMany<Memo>"])
  func `a to-many is a relation and no property`(_ type: String) throws {
    let note = try entity(
      "Note",
      in: "class Note: Entity { var id: Id = 0; var memos: \(type) = nil }\n" + Self.memo
    )
    #expect(note.properties.map(\.name) == ["id"])
    #expect(note.relations.map(\.name) == ["memos"])
    #expect(note.relations.first?.targetType == "Memo")
    #expect(note.relations.first?.kind == .standalone)
  }

  @Test func `the type of a relation may come from its default value`() throws {
    let note = try entity(
      "Note",
      in: "class Note: Entity { var id: Id = 0; var memos = ToMany<Memo>() }\n" + Self.memo
    )
    #expect(note.relations.map(\.targetType) == ["Memo"])
  }

  @Test func `a backlink is the reverse side of a standalone relation before that of a to-one`()
    throws
  {
    let note = try entity(
      "Note",
      in: """
        class Note: Entity {
          var id: Id = 0
          // objectbox: backlink = "notes"
          var byMany: ToMany<Memo> = nil
          // objectbox: backlink = "NOTE"
          var byOne: ToMany<Memo> = nil
          // objectbox: backlink = "stored"
          var byDatabaseName: ToMany<Memo> = nil
        }
        class Memo: Entity {
          var id: Id = 0
          var notes: ToMany<Note> = nil
          var note: ToOne<Note> = nil
          // objectbox: name = "stored"
          var other: ToOne<Note> = nil
        }
        """
    )
    #expect(
      note.relations.map(\.kind) == [
        .reverseOfToMany("notes"), .reverseOfToOne("note"), .reverseOfToOne("other"),
      ]
    )
  }

  @Test func `a backlink finds an entity that is renamed in the database`() throws {
    let note = try entity(
      "Note",
      in: """
        // objectbox: entity, name = "Leaf"
        class Note {
          var id: Id = 0
          // objectbox: backlink = "note"
          var memos: ToMany<Memo> = nil
        }
        // objectbox: entity, name = "Leaflet"
        class Memo { var id: Id = 0; var note: ToOne<Note> = nil }
        """
    )
    #expect(note.relations.first?.kind == .reverseOfToOne("note"))
  }

  @Test func `a backlink without a counterpart is an error that names what there is`() {
    expectFindings(
      """
      class Note: Entity {
        var id: Id = 0
        // objectbox: backlink = "nothing"
        var 1️⃣memos: ToMany<Memo> = nil
      }
      class 2️⃣Memo: Entity { var id: Id = 0; var note: ToOne<Note> = nil; var memo: ToOne<Memo> = nil }
      """,
      [
        "1️⃣ error: the backlink 'nothing' of 'Note.memos' is no relation of 'Memo' to 'Note'; write one of "
          + "'note' -> 2️⃣ note: 'Memo' is declared here"
      ]
    )
  }

  @Test func `a relation to another entity is no counterpart`() {
    expectFindings(
      """
      class Note: Entity {
        var id: Id = 0
        // objectbox: backlink = "memo"
        var 1️⃣memos: ToMany<Memo> = nil
      }
      class Memo: Entity { var id: Id = 0; var memo: ToOne<Memo> = nil }
      """,
      ["1️⃣ error: declare `var memo: ToOne<Note> = nil` in 'Memo'"]
    )
  }

  @Test func `backlink on a to-one is a warning that tells what to write`() {
    expectFindings(
      """
      class Note: Entity {
        var id: Id = 0
        // objectbox: 1️⃣backlink = "notes"
        var memo: ToOne<Memo> = nil
      }
      \(Self.memo)
      """,
      [
        "1️⃣ warning: annotate the to-many relation 'notes' of 'Memo' with `// objectbox: backlink = "
          + "\"memo\"`"
      ]
    )
  }

  @Test func `a to-one that leads to no entity is a warning, a to-many an error`() {
    expectFindings(
      """
      class Note: Entity {
        var id: Id = 0
        var 1️⃣one: ToOne<Memo> = nil
        var 2️⃣many: ToMany<Memo> = nil
      }
      class Memo {}
      """,
      [
        "1️⃣ warning: 'Note.one' leads to 'Memo', which is no entity",
        "2️⃣ error: 'Note.many' leads to 'Memo', which is no entity",
      ]
    )
  }

  @Test(arguments: [("ToOne<Memo>?", "ToOne"), ("ToMany<Memo>!", "ToMany")])
  func `a relation is not optional`(_ type: String, _ kind: String) {
    expectFindings(
      "class Note: Entity { var id: Id = 0; var 1️⃣it: \(type) }\n" + Self.memo,
      ["1️⃣ error: the relation 'it' of entity 'Note' is optional; \(kind) can be empty by itself"]
    )
  }

  @Test(arguments: ["index", "unique", "convert = \"Int\"", "id", "hnswIndex: dimensions=2"])
  func `annotations of values do not fit a to-many`(_ annotation: String) {
    let name = annotation.prefix { !" :".contains($0) }
    expectFindings(
      """
      class Note: Entity {
        var id: Id = 0
        // objectbox: 1️⃣\(annotation)
        var it: ToMany<Memo> = nil
      }
      \(Self.memo)
      """,
      ["1️⃣ error: the annotation '\(name)' cannot be used on 'Note.it', a to-many relation"]
    )
  }

  @Test func `what has no effect on a to-many is a warning`() {
    expectFindings(
      """
      class Note: Entity {
        var id: Id = 0
        // objectbox: 1️⃣name = "x"
        var it: ToMany<Memo> = nil
        // objectbox: backlink = "note", 2️⃣uid = 17
        var back: ToMany<Memo> = nil
        // objectbox: 3️⃣backlink = "x"
        var plain: Int = 0
      }
      class Memo: Entity { var id: Id = 0; var note: ToOne<Note> = nil }
      """,
      [
        "1️⃣ warning: the name annotation of the to-many relation 'Note.it' has no effect",
        "2️⃣ warning: the uid annotation of 'Note.back' has no effect",
        "3️⃣ warning: the backlink annotation of 'Note.plain' has no effect",
      ]
    )
  }

  @Test func `external names and types of a to-many are kept`() throws {
    let note = try entity(
      "Note",
      in: """
        class Note: Entity {
          var id: Id = 0
          // objectbox: externalName = "my_memos", externalType = "uuidVector"
          var memos: ToMany<Memo> = nil
        }
        \(Self.memo)
        """
    )
    #expect(note.relations.first?.externalName == "my_memos")
    #expect(note.relations.first?.externalType == 118)
  }

  @Test func `a constant to-many could not be bound`() {
    expectFindings(
      "struct Note: Entity { var id: Id; let 1️⃣it: ToMany<Memo> }\n" + Self.memo,
      ["1️⃣ error: the relation 'it' of entity 'Note' is declared with `let`"]
    )
  }
}
