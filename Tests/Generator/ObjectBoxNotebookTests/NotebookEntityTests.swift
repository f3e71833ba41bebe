import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

struct NotebookEntityTests {
  private let folder: TemporaryDirectory
  private let store: Store

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
  }

  private func note(_ slug: String, created: Double = 0, priority: Priority = .normal) -> Note {
    let note = Note(
      slug: slug,
      title: "Title of \(slug)",
      text: "some text",
      tags: ["a", "b"],
      created: Date(timeIntervalSince1970: created)
    )
    note.priority = priority
    return note
  }

  @Test func `notes with tags, dates and an enum read back after reopening`() throws {
    try store.box(for: Note.self).put(note("one", created: -5, priority: .high))
    store.close()
    let reopened = try Store(directoryPath: folder.path + "/store")
    let read = try #require(try reopened.box(for: Note.self).get(1))
    #expect(read.slug == "one")
    #expect(read.tags == ["a", "b"])
    #expect(read.created == Date(timeIntervalSince1970: -5))
    #expect(read.edited == nil)
    #expect(read.priority == .high)
    #expect(read.wordCount == 2)
  }

  @Test func `the plan of a query names the index that it uses`() throws {
    let notes = store.box(for: Note.self)
    try notes.put((0..<50).map { note("note-\($0)", created: Double($0)) })
    let bySlug = try notes.query { .slug == "note-7" }.build()
    #expect(try bySlug.explain().contains("index on 'slug' (hash)"))
    #expect(try bySlug.findUnique()?.slug == "note-7")
    let byDate = try notes.query {
      Note.created.isBetween(Date(timeIntervalSince1970: 40), and: Date(timeIntervalSince1970: 44))
    }.build()
    #expect(try byDate.explain().contains("index on 'created' (value), range"))
    #expect(try byDate.count() == 5)
    let byText = try notes.query { Note.text.contains("text") }.build()
    #expect(try byText.explain().contains("scan"))
  }

  @Test func `a tag that is put again replaces the one of the same name`() throws {
    let tags = store.box(for: Tag.self)
    try tags.put(Tag(id: 0, name: "home", uses: 1))
    try tags.put(Tag(id: 0, name: "home", uses: 2))
    #expect(try tags.all().map(\.uses) == [2])
  }
}
