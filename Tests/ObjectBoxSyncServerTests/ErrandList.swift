import ObjectBox

/// A list whose members see and write its entries.
// objectbox: entity, sync
final class ErrandList {
  var id: Id = 0
  var title = ""
  var members: [String] = []
  var parent: ToOne<ErrandList> = nil

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
