import Foundation
import ObjectBox

/// Shows the store's features with its notes: a query by each index with its plan and time, a
/// violated constraint, and the data after reopening.
struct Tour {
  let folder: String

  func run() throws {
    #if DEBUG
      print("times of a debug build, which is not optimised")
    #endif
    let count = try queries()
    try reopening(expected: count)
  }

  private func queries() throws -> Int {
    let notebook = try Notebook(folder: folder)
    defer { notebook.store.close() }
    let notes = notebook.notes
    let total = try notes.count()
    guard let sample = try notes.get(Id(total / 2)) else {
      throw Failure("there are no notes; import some first")
    }
    try show("one note by its unique slug", notes.query { .slug == sample.slug }.build())
    let year = 365.0 * 24 * 3600
    let month = Date(timeIntervalSince1970: 30 * year)
    try show(
      "a month by the index on dates",
      notes.query { Note.created.isBetween(month, and: month.addingTimeInterval(year / 12)) }
        .build()
    )
    try show(
      "titles with a prefix by the index on titles",
      notes.query { Note.title.startsWith("Plan for the harbour 99") }.build()
    )
    try show(
      "long notes from before 1970, newest first",
      notes.query {
        .created < Date(timeIntervalSince1970: 0) && .wordCount > 40
      }
      .ordered(by: Note.created, flags: .descending).build()
    )
    try show(
      "high priority by the index on priorities",
      notes.query { .priority == Priority.high.rawValue }.build()
    )
    try show("a tag by its unique name", notebook.tags.query { .name == "reading" }.build()) {
      "\($0.name), used \($0.uses) times"
    }
    try show(
      "a word in the text, without an index",
      notes.query { Note.text.contains("größer") }.build()
    )
    try show(
      "either of two",
      notes.query { .slug == sample.slug || .title == "Plan for the garden 1" }.build()
    )

    print("\nputting a second note with the slug '\(sample.slug)':")
    do {
      try notes.put(
        Note(slug: sample.slug, title: "Twin", text: "", tags: [], created: Date())
      )
      throw Failure("the unique constraint was not enforced")
    } catch let error as ObjectBoxError {
      print("  \(error)")
    }
    guard try notes.count() == total else { throw Failure("the refused note was stored") }
    return total
  }

  private func reopening(expected: Int) throws {
    var notebook: Notebook?
    let opening = try timed { notebook = try Notebook(folder: folder) }
    guard let notebook else { return }
    defer { notebook.store.close() }
    var all: [Note] = []
    let reading = try timed { all = try notebook.notes.all() }
    guard all.count == expected else {
      throw Failure("\(all.count) notes were read back instead of \(expected)")
    }
    print(
      "\nreopened in \(opening), read \(all.count) notes back in \(reading); the last one is '\(all[all.count - 1].title)'"
    )
  }

  private func show(_ title: String, _ query: Query<Note>) throws {
    try show(title, query) { $0.title }
  }

  private func show<E>(
    _ title: String,
    _ query: Query<E>,
    describe: (E) -> String
  ) throws {
    var found: [E] = []
    let duration = try timed { found = try query.find() }
    print("\n\(title): \(found.count) found in \(duration)")
    for line in try query.explain().split(separator: "\n") { print("  \(line)") }
    if let first = found.first { print("  first: \(describe(first))") }
  }

  private func timed(_ body: () throws -> Void) rethrows -> String {
    let duration = try ContinuousClock().measure(body)
    return duration.formatted(
      .units(allowed: [.seconds, .milliseconds, .microseconds], width: .narrow)
    )
  }
}
