import ObjectBoxGenerator
import Testing

/// The access of generated declarations; `ObjectBoxGeneratedCodeTests` compiles some of them.
struct AccessTests {
  /// Returns the lines of the bindings that declare something with an access.
  private func declarations(_ text: String, visibility: String = "internal") throws -> [String] {
    let built = SchemaBuilder.build([SourceFile(path: "Note.swift", text: text)])
    #expect(built.diagnostics.map(\.description) == [])
    var uids = UIDGenerator(isDeterministic: true)
    let result = ModelSynchronizer.synchronize(built.schema, with: ModelDocument(), uids: &uids)
    let code = try CodeRenderer.render(result.schema, result.model, visibility: visibility)
    return code.split(separator: "\n").map { $0.drop { $0 == " " } }
      .filter { line in
        ["import ", "internal ", "package ", "public "].contains { line.hasPrefix($0) }
      }
      .map { line in String(line.prefix { $0 != "{" && $0 != "(" }) }
  }

  private let mixed = """
    import ObjectBox
    // objectbox: entity
    public final class Note {
      public var id: Id = 0
      public var title: String = ""
      var secret: Data = Data()
      public var author: ToOne<Author> = nil
      var tag: ToOne<Tag> = nil
      public init() {}
    }
    // objectbox: entity
    open class Author {
      public var id: Id = 0
      // objectbox: backlink = "author"
      public var notes: ToMany<Note> = nil
      public init() {}
    }
    // objectbox: entity
    struct Tag { public var id: Id; public var name: String }
    """

  @Test func `each entity has its own access, and shows what its sources show`() throws {
    let lines = try declarations(mixed)
    #expect(lines.contains("import Foundation"))
    #expect(lines.contains("public import ObjectBox"))
    #expect(lines.contains("public typealias EntityType = Note"))
    #expect(lines.contains("public final class NoteBinding: ObjectBox.EntityBinding, Sendable "))
    #expect(lines.contains("public final class AuthorBinding: ObjectBox.EntityBinding, Sendable "))
    #expect(lines.contains("internal final class TagBinding: ObjectBox.EntityBinding, Sendable "))
    let note = lines.filter { $0.contains("static var ") && $0.contains("Property<Note,") }
    #expect(
      note.map { String($0.prefix { $0 != ":" }) } == [
        "public static var id", "public static var title", "internal static var secret",
        "public static var author", "internal static var tag", "public static var id",
        "public static var title", "internal static var secret", "public static var author",
        "internal static var tag",
      ]
    )
    #expect(lines.count { $0 == "public static var notes: ObjectBox.ToManyProperty<Note> " } == 2)
    #expect(lines.contains { $0.hasPrefix("internal static var name: ObjectBox.Property<Tag,") })
    // A module must ask for public stores: two of them would be ambiguous in a program.
    #expect(
      lines.filter { $0.contains("convenience init") }.allSatisfy { $0.hasPrefix("internal") }
    )
  }

  @Test func `with the visibility public, public entities show all members that they can`() throws {
    let lines = try declarations(mixed, visibility: "public")
    #expect(lines.contains("public import Foundation"))
    #expect(lines.contains { $0.hasPrefix("public static var secret: ObjectBox.Property<Note,") })
    #expect(lines.contains { $0.hasPrefix("internal static var tag: ObjectBox.Property<Note,") })
    #expect(lines.contains("internal final class TagBinding: ObjectBox.EntityBinding, Sendable "))
    #expect(lines.filter { $0.contains("convenience init") }.allSatisfy { $0.hasPrefix("public") })
  }

  @Test(arguments: [
    ("import", "internal", "import"), ("public import", "internal", "package import"),
    ("package import", "internal", "package import"), ("import", "package", "package import"),
  ])
  func `a package entity is imported as its sources import`(
    source: String,
    visibility: String,
    expected: String
  ) throws {
    let entity = ": Entity { package var id: Id = 0; package var day: Date?; package init() {} }"
    let lines = try declarations(
      "\(source) ObjectBox\npackage class Note\(entity)",
      visibility: visibility
    )
    #expect(lines.contains("\(expected) ObjectBox"))
    #expect(lines.contains("\(expected) Foundation"))
    #expect(lines.contains("package typealias EntityType = Note"))
  }

  @Test(arguments: [
    ("public class Note", "public"), ("open class Note", "public"),
    ("package class Note", "package"),
    ("class Note", "internal"), ("internal class Note", "internal"),
    ("final public class Note", "public"),
    ("public enum Outer { class Note", "internal"), ("enum Outer { public class Note", "internal"),
    ("public enum Outer { package class Note", "package"),
    ("package struct Outer { public class Note", "package"),
    ("public enum Outer { public class Note", "public"),
    // What the extended type allows may be unknown, so the visibility counts.
    ("enum Outer {}\nextension Outer { public class Note", "option"),
    ("public enum Outer {}\npublic extension Outer { class Note", "option"),
  ])
  func `the access of a nested type is the least around it`(header: String, access: String) throws {
    let end = header.contains("Outer") ? "}}" : "}"
    let type = header.contains("Outer") ? "Outer.Note" : "Note"
    for visibility in ["internal", "package", "public"] {
      let lines = try declarations(
        "\(header): Entity { public var id: Id = 0; public init() {} \(end)",
        visibility: visibility
      )
      let expected = access == "option" ? visibility : access
      #expect(lines.contains("\(expected) typealias EntityType = \(type)"), "\(lines)")
    }
  }
}
