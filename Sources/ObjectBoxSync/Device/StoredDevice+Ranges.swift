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
      let first = SyncKey(.marks, range.entity.value, range.ids.lowerBound)
      let last = SyncKey(.marks, range.entity.value, range.ids.upperBound)
      try table.forEach(from: first, through: last, in: storage) { key, value in
        let place = key.object()
        try passChanges(before: place)
        guard changes[place] == nil, let record = try entity.table.record(place.id, in: storage)
        else { return }
        var row = try SyncTable.decode(Array(value), key, as: Row.self)
        row.values = entity.values(of: record)
        try body(place, row)
      }
      try passChanges(before: nil)
    }
  }
}
