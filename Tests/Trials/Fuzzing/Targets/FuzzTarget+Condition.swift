import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import ObjectBoxTool

extension FuzzTarget {
  /// Textual conditions, resolved and run on a store with a few objects.
  static let condition = FuzzTarget("condition") {
    [
      "comparisons": Array(
        #"(slug startsWith "a\u{e9}" ignoring case || stars between -1 and 5) && stars not in [2,3] or slug is null"#
          .utf8
      ),
      "links": Array(#"author(name == 'Ada' && id <= 9) && author.name contains "d""#.utf8),
      "literals": Array(
        "slug == 1990-01-31T12:30:15.5+02:00 || slug == 0x00ff || stars == -1.5e3 || stars < true"
          .utf8
      ),
    ]
  } body: { input, _ in
    let store = try Self.store()
    defer { store.close() }
    for entity in ["Note", "Author"] {
      do {
        let query = try StoreQuery(entity, condition: input.text, in: store).query
        _ = try query.explain()
        let (found, count) = (try query.findIds().count, try query.count())
        precondition(found == count, "results and count differ")
      } catch let fault as ConditionFault {
        precondition(fault.description.contains("^"), "a fault has no place")
      } catch let error as ObjectBoxError {
        precondition(!error.message.isEmpty, "an error has no text")
      }
    }
  }

  private static func store() throws -> Store {
    let model = FileManager.default.temporaryDirectory
      .appendingPathComponent("objectbox-fuzz-\(UUID().uuidString).json")
    try Data(NotesModel.json.utf8).write(to: model)
    defer { try? FileManager.default.removeItem(at: model) }
    let store = try Store(
      configuration: .init(directory: "memory:\(UUID().uuidString)"),
      modelJSON: model
    )
    let author = try store.box(named: "Author").put(["name": "Ada"])
    try store.box(named: "Note").put([
      ["slug": "a", "stars": 5, "author": author], ["slug": "aé", "stars": -1], ["slug": nil],
    ])
    return store
  }
}
