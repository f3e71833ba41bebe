internal import CObjectBoxPages
package import CObjectBoxRecords

/// Objects whose records pass a filter, many per call.
extension StorageCursor {
  /// Objects that passed a filter; valid until the next call.
  package struct PassedObjects {
    /// In the order of the cursor.
    package let objects: UnsafeBufferPointer<ObjectEntry>
    /// The next object, if its record is damaged.
    package let damaged: ObjectEntry?
  }

  /// Returns the next objects that pass a filter, and moves past them.
  ///
  /// A new cursor begins at the first object, or backwards at the last. A cursor moves in one
  /// direction only.
  ///
  /// - Parameters:
  ///   - isBackwards: The direction.
  ///   - filter: Tests the records.
  /// - Returns: One or more objects, or a damaged one; neither at the end.
  /// - Throws: ``StorageError`` when the table cannot be read.
  package func nextObjects(
    isBackwards: Bool,
    passing filter: UnsafePointer<obx_filter>
  ) throws(StorageError) -> PassedObjects {
    while true {
      let objects = try nextObjects(isBackwards: isBackwards)
      var tested = 0
      let passed = Self.keep(objects, objects.count, passing: filter, &tested)
      let damaged = tested < objects.count ? objects[tested] : nil
      if passed > 0 || damaged != nil || objects.isEmpty {
        return PassedObjects(
          objects: UnsafeBufferPointer(rebasing: objects[..<passed]),
          damaged: damaged
        )
      }
    }
  }

  /// Moves the objects that pass a filter to the front of their cursor's buffer.
  ///
  /// - Parameters:
  ///   - objects: The last batch of a cursor.
  ///   - count: The number of objects to test.
  ///   - filter: Tests the records.
  ///   - tested: Gets the number of objects before the first damaged record.
  /// - Returns: The number of objects that passed.
  static func keep(
    _ objects: UnsafeBufferPointer<ObjectEntry>,
    _ count: Int,
    passing filter: UnsafePointer<obx_filter>,
    _ tested: inout Int
  ) -> Int {
    UnsafeMutableBufferPointer(mutating: objects).withMemoryRebound(to: obx_pages_entry.self) {
      entries in
      entries.baseAddress.map { obx_filter_keep(filter, $0, count, &tested) } ?? 0
    }
  }

  /// Reads properties of objects by columns.
  ///
  /// - Parameters:
  ///   - objects: The objects, whose records are read.
  ///   - columns: The fields of the properties.
  ///   - destination: A destination for each column.
  ///   - place: The place of the first object in the destinations.
  /// - Returns: The number of objects; less than all if the next one has a damaged record.
  package static func readColumns(
    _ objects: UnsafeBufferPointer<ObjectEntry>,
    _ columns: UnsafePointer<obx_columns>,
    into destination: UnsafeMutablePointer<obx_column>,
    at place: Int
  ) -> Int {
    objects.withMemoryRebound(to: obx_pages_entry.self) { entries in
      entries.baseAddress.map {
        obx_columns_read(columns, $0, entries.count, destination, place)
      } ?? 0
    }
  }

  /// Counts the objects that pass a filter, from the current position to the last object.
  ///
  /// - Parameter filter: Tests the records.
  /// - Returns: Their number up to the first damaged record, and that record's object.
  /// - Throws: ``StorageError`` when the table cannot be read.
  package func countObjects(
    passing filter: UnsafePointer<obx_filter>
  ) throws(StorageError) -> (count: Int, damaged: ObjectEntry?) {
    var count = 0
    while true {
      let objects = try nextObjects(isBackwards: false)
      if objects.isEmpty { return (count, nil) }
      var tested = 0
      count += objects.withMemoryRebound(to: obx_pages_entry.self) { entries in
        entries.baseAddress.map { obx_filter_count(filter, $0, objects.count, &tested) } ?? 0
      }
      if tested < objects.count { return (count, objects[tested]) }
    }
  }
}
