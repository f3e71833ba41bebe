import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import ObjectBoxTool

/// A store of notes, and the site that shows it.
struct BrowsedStore: Browsed {
  let folder: TemporaryDirectory
  let store: Store

  var content: any BrowserContent {
    StoreFileContent(store, at: folder.path + "/notes/data.mdb", maximumSize: 1 << 30)
  }

  /// Makes a store of a model, without objects.
  init(_ model: String) throws {
    folder = try TemporaryDirectory()
    store = try Store(
      directoryPath: folder.path + "/notes",
      modelJSON: URL(fileURLWithPath: try folder.write(model, to: "model.json"))
    )
  }

  init() throws {
    try self.init(NotesModel.json)
    let authors = try store.box(named: "Author").put([["name": "Ada"], ["name": "Grace"]])
    let notes = try store.box(named: "Note")
    try notes.put([
      ["slug": "one", "stars": 5, "author": authors[0]], ["slug": "two", "stars": -1],
      ["slug": "three", "stars": 2], ["slug": "four", "stars": 2, "author": authors[1]],
      ["slug": "five", "stars": 3], ["slug": nil], ["slug": "seven"],
    ])
    try notes.add(authors, to: "readers", of: 1)
    try notes.add([authors[1]], to: "readers", of: 2)
  }
}
