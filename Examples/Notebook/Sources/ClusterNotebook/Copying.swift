import Foundation
import ObjectBox
import ObjectBoxCluster

/// Copies the notes and tags of an embedded store to a database that has none of them.
///
/// One box reads the objects, another one puts them. `objectbox copy` copies any store without a
/// program, and keeps the IDs.
struct Copying {
  let cluster: Cluster

  func run(from folder: String) async throws {
    // Opening would make a store where there is none.
    guard FileManager.default.fileExists(atPath: folder + "/data.mdb") else {
      throw Failure(description: "there is no store in '\(folder)'; import notes into one first")
    }
    let store = try Store(directoryPath: folder)
    defer { store.close() }
    let notes = try store.box(for: Note.self).all()
    var tags = try store.box(for: Tag.self).all()
    // The server gives new IDs.
    for note in notes { note.id = 0 }
    for index in tags.indices { tags[index].id = 0 }
    try await cluster.box(for: Tag.self).put(tags)
    try await cluster.box(for: Note.self).put(notes)
    print("copied \(notes.count) notes and \(tags.count) tags")
  }
}
