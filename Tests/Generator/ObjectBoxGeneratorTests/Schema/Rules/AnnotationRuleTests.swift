import ObjectBoxGenerator
import Testing

/// Annotations that are unknown or cannot be read.
struct AnnotationRuleTests {
  @Test func `unknown names on types and on properties are faults, with the nearest known one`() {
    expectFindings(
      """
      // objectbox: entity, 1️⃣nam = "x", 2️⃣transient
      struct Note {
        var id: Id
        // objectbox: 3️⃣indx, unique
        // objectbox: 4️⃣optional
        var it: Int
      }
      """,
      [
        "1️⃣ error: unknown annotation 'nam' on 'Note'; did you mean 'name'?",
        "2️⃣ error: unknown annotation 'transient' on 'Note'; remove it",
        "3️⃣ error: unknown annotation 'indx' on 'Note.it'; did you mean 'index'?",
        "4️⃣ error: unknown annotation 'optional' on 'Note.it'; remove it",
      ]
    )
  }

  @Test func `case counts`() {
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: 1️⃣Index\nvar it: Int }",
      ["1️⃣ error: did you mean 'index'?"]
    )
  }

  @Test func `types that are no entities are checked, their variables are not`() {
    expectFindings(
      "// objectbox: 1️⃣entty\nclass Note {\n  // objectbox: whatever\n  var it: Int\n}",
      ["1️⃣ error: did you mean 'entity'?"]
    )
  }

  @Test func `variables that are not stored are checked too`() {
    expectFindings(
      """
      struct Note: Entity {
        var id: Id
        // objectbox: 1️⃣indx
        static var a: Int
        // objectbox: transient, 2️⃣indx
        var b = 1
        // objectbox: 3️⃣indx
        var c: Int { 1 }
      }
      """,
      ["1️⃣ error: indx", "2️⃣ error: indx", "3️⃣ error: indx"]
    )
  }

  @Test func `what cannot be read is told once, without findings that follow`() {
    expectFindings(
      """
      // objectbox: entity, name = 1️⃣"x
      struct Note {
        // objectbox: id = { 2️⃣assignable }
        var id: Id
        // objectbox: convert = { "dbType": 3️⃣}
        var it: Color
        // objectbox: 4️⃣= 3
        var other: Int
      }
      """,
      [
        "1️⃣ error: value of annotation 'name'", "2️⃣ error: value of annotation 'id'",
        "3️⃣ error: value of annotation 'convert'", "4️⃣ error: a value and no name",
      ]
    )
  }

  @Test func `two values of one annotation are warned of, and neither counts`() {
    let marked = """
      struct Note: Entity {
        var id: Id
        // objectbox: 1️⃣name = "a"
        // objectbox: 2️⃣name = "b"
        var it: Int
      }
      """
    expectFindings(marked, ["2️⃣ warning: 'name' is given twice"])
    let schema = SchemaBuilder.build([MarkedSource(marked).file]).schema
    #expect(schema.entities.first?.properties.last?.databaseName == "it")
  }
}
