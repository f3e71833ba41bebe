internal import ObjectBox
internal import ObjectBoxSyncProtocol

extension StoredDevice {
  func forEachShownRow(
    in ranges: [KeyRange],
    _ body: (ObjectKey, Row) throws -> Bool
  ) throws {
    let changed = changes.keys.sorted()
    var next = changed.startIndex
    for range in ranges {
      guard let entity = model[range.entity] else { continue }
      /// Passes the changed rows of the range up to a key; returns false if the body has returned false.
      func passChanges(before key: ObjectKey?) throws -> Bool {
        while next < changed.endIndex {
          let place = changed[next]
          guard range.ends(before: place) ? false : key.map({ place < $0 }) ?? true else { break }
          next += 1
          guard range.contains(place), let row = changes[place] ?? nil else { continue }
          guard try body(place, row) else { return false }
        }
        return true
      }
      let goesOn = try forEachVersions(of: range.entity, in: range.ids) { place, versions in
        guard try passChanges(before: place) else { return false }
        guard changes[place] == nil, let record = try entity.table.record(place.id, in: storage)
        else { return true }
        var row = versions
        row.values = entity.values(of: record)
        return try body(place, row)
      }
      guard try goesOn && passChanges(before: nil) else { return }
    }
  }
}
