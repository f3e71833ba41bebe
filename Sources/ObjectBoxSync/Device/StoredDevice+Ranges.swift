internal import ObjectBox
internal import ObjectBoxSyncProtocol

extension StoredDevice {
  func forEachShownRow(
    in ranges: [KeyRange],
    _ body: (ObjectKey, Row) throws -> Void
  ) throws {
    let changed = changes.keys.sorted()
    var next = changed.startIndex
    for range in ranges {
      guard let entity = model[range.entity] else { continue }
      /// Passes the changed rows of the range, up to a key.
      func passChanges(before key: ObjectKey?) throws {
        while next < changed.endIndex {
          let place = changed[next]
          guard range.ends(before: place) ? false : key.map({ place < $0 }) ?? true else { return }
          next += 1
          if range.contains(place), let row = changes[place] ?? nil { try body(place, row) }
        }
      }
      try forEachMarks(of: range.entity, in: range.ids) { place, marks in
        try passChanges(before: place)
        guard changes[place] == nil, let record = try entity.table.record(place.id, in: storage)
        else { return }
        var row = marks
        row.values = entity.values(of: record)
        try body(place, row)
      }
      try passChanges(before: nil)
    }
  }
}
