import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport

extension ArticlesModel {
  /// Puts two authors and four articles.
  static func fill(_ store: Store) throws {
    let authors = try store.box(named: "Author").put([
      ["about": "writes of Swift"], ["about": "writes of gardens"],
    ])
    try store.box(named: "Article").put([
      [
        "title": "Data", "stars": 3, "author": authors[0],
        "text": "Swift has structured concurrency and a check for every data race in the program.",
      ],
      [
        "title": "Swift", "stars": 5, "author": authors[1],
        "text": "A bird, <b>swift</b> & small, with \"wings\".\nIt flies.",
      ],
      ["title": "Race", "stars": 1, "text": "The data of the race"],
      ["title": "Nothing", "stars": 5],
    ])
  }
}

extension TemporaryDirectory {
  /// Makes a store of articles.
  func makeArticles(_ name: String) throws {
    let store = try store(name, ArticlesModel.json)
    defer { store.close() }
    try ArticlesModel.fill(store)
  }
}
