import Foundation
import ObjectBox
import ObjectBoxCluster

/// Shows a query of the notes by each index, with plans and times, and a violated constraint.
struct Tour {
  let cluster: Cluster

  func run() async throws {
    #if DEBUG
      print("times of a debug build, which is not optimised")
    #endif
    let notes = cluster.box(for: Note.self)
    let total = try await notes.count()
    guard let sample = try await notes.query().find(offset: total / 2, limit: 1).first else {
      throw Failure(description: "there are no notes; copy a store to the server first")
    }
    try await show("one note by its unique slug", notes.query { .slug == sample.slug })
    let year = 365.0 * 24 * 3600
    let month = Date(timeIntervalSince1970: 30 * year)
    try await show(
      "a month by the index on dates",
      notes.query { Note.created.isBetween(month, and: month.addingTimeInterval(year / 12)) }
    )
    try await show(
      "titles with a prefix by the index on titles",
      notes.query { Note.title.startsWith("Plan for the harbour 99") }
    )
    try await show(
      "high priority by the index on priorities",
      notes.query { .priority == Priority.high.rawValue }
    )
    try await show(
      "long notes from before 1970, newest first",
      notes.query { .created < Date(timeIntervalSince1970: 0) && .wordCount > 40 }
        .ordered(by: Note.created, flags: .descending)
    )

    print("\nputting a second note with the slug '\(sample.slug)':")
    do {
      try await notes.put(
        Note(slug: sample.slug, title: "Twin", text: "", tags: [], created: Date())
      )
      throw Failure(description: "the unique constraint was not enforced")
    } catch let error as ObjectBoxError {
      print("  \(error)")
    }
    guard try await notes.count() == total else {
      throw Failure(description: "the refused note was stored")
    }
  }

  private func show(_ title: String, _ query: ClusterQuery<Note>) async throws {
    let clock = ContinuousClock()
    let start = clock.now
    let found = try await query.find()
    let duration = (clock.now - start).formatted(
      .units(allowed: [.seconds, .milliseconds, .microseconds], width: .narrow)
    )
    print("\n\(title): \(found.count) found in \(duration)")
    for line in "\(try await query.explain())".split(separator: "\n") { print("  \(line)") }
    if let first = found.first { print("  first: \(first.title)") }
  }
}
