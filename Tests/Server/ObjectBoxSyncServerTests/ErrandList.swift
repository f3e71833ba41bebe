import ObjectBox

/// A list whose members see and write its entries.
// objectbox: entity, sync
final class ErrandList {
  var id: Id = 0
  var title = ""
  var members: [String] = []
  var parent: ToOne<ErrandList> = nil
  // objectbox: backlink = "list"
  var entries: ToMany<ListEntry> = nil
  // objectbox: backlink = "lists"
  var helpers: ToMany<ListHelper> = nil

  init() {}

  init(_ title: String, members: [String] = [], parent: ErrandList? = nil) {
    self.title = title
    self.members = members
    self.parent.target = parent
  }
}

// objectbox: entity, sync
final class ListEntry {
  var id: Id = 0
  var text = ""
  var list: ToOne<ErrandList> = nil

  init() {}

  init(_ text: String, in list: ErrandList?) {
    self.text = text
    self.list.target = list
  }
}

/// A helper of some lists.
// objectbox: entity, sync
final class ListHelper {
  var id: Id = 0
  var name = ""
  // objectbox: syncClock
  var clock: Int64 = 0
  var lists: ToMany<ErrandList> = nil

  init() {}

  init(_ name: String) { self.name = name }
}
