import ObjectBox
import ObjectBoxDynamic
import ObjectBoxSearch
import ObjectBoxTestSupport
import Testing

/// Full-text indexes by generated code.
struct TextTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func store() throws -> Store { try Store(directoryPath: folder.path + "/store") }

  @Test func `objects are found by the words of one property`() throws {
    var store = try store()
    try store.box(for: Note.self).put([
      Note("concurrency without races", title: "Swift"), Note("Zürich has canals"),
      Note("races in Zürich", title: "Running"),
    ])
    store.close()
    store = try self.store()
    defer { store.close() }
    let notes: Box<Note> = store.box()
    #expect(try notes.query { Note.text.matches("races") }.build().findIds() == [1, 3])
    #expect(try notes.query { Note.text.matches("co* OR can*") }.build().findIds() == [1, 2])
    // The annotation keeps accents for the text alone.
    #expect(try notes.query { Note.text.matches("zurich") }.build().findIds() == [])
    #expect(try notes.query { Note.text.matches("ZÜRICH -canals") }.build().findIds() == [3])
    let both = try notes.query { Note.title.matches("swift") && Note.title == "Swift" }.build()
    #expect(try both.find().map(\.text) == ["concurrency without races"])
  }

  @Test func `objects are found by the words of several properties together`() throws {
    var store = try store()
    try store.box(for: Article.self).put([
      Article(id: 0, title: "Engines", text: "a race of engines"),
      Article(id: 0, title: "Race", text: "two engines"), Article(id: 0, title: "Other", text: nil),
    ])
    store.close()
    store = try self.store()
    defer { store.close() }
    let articles: Box<Article> = store.box()
    let query = try articles.query { Article.words.matches("race engines") }.build()
    #expect(try query.findIds() == [1, 2])
    // The title counts three times.
    let found = try articles.query { Article.words.matches("race OR other") }.build()
      .findWithScores()
    #expect(found.map(\.object.title) == ["Other", "Race", "Engines"])
    #expect(try articles.query { Article.words.matches("title:race") }.build().findIds() == [2])
    #expect(try articles.query { Article.words.matches("text:race") }.build().findIds() == [1])
    #expect(try articles.query { Article.title.matches("race") }.build().findIds() == [2])
    #expect(try articles.query { Article.text.matches("race") }.build().findIds() == [1])
  }
}
