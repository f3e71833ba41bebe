/// Numbers of objects by the keys of an index.
extension QueryExecution {
  /// Returns whether the results' values of a property can be counted in its index alone: it needs a
  /// value index that has all results, and whose keys are whole values.
  package func canCountKeys(of propertyID: UInt32) throws -> Bool {
    try keys(of: propertyID) != nil
  }

  /// Passes each value of a property that results have: the first object with it, and the number of
  /// such results.
  ///
  /// - Parameters:
  ///   - propertyID: A property.
  ///   - body: Gets a record, which is valid until it returns.
  /// - Returns: False when ``canCountKeys(of:)`` is; nothing has been passed then.
  /// - Throws: The error of the body, and ``ObjectBoxError`` when the store cannot be read.
  package func forEachKey(
    of propertyID: UInt32,
    _ body: (RecordReader, Int) throws -> Void
  ) throws -> Bool {
    guard let (definition, ranges) = try keys(of: propertyID) else { return false }
    let scan = try IndexScan(definition, in: transaction.storage)
    for range in ranges {
      try scan.forEachKey(in: range) { id, count in
        try body(try record(id, of: definition), count)
      }
    }
    return true
  }

  private func record(_ id: UInt64, of definition: IndexDefinition) throws -> RecordReader {
    guard let record = try table.record(id, in: transaction.storage) else {
      throw ObjectBoxError.fileCorrupt(
        message: "the index on '\(definition.name)' of '\(table.schema.name)' has ID \(id), "
          + "which has no object; look for more damage with Store.verify()"
      )
    }
    return record
  }

  /// Returns the first object with the least or the greatest number of a property, by its index.
  ///
  /// - Parameters:
  ///   - propertyID: A property of integers, floating point numbers or decimals.
  ///   - isGreatest: True for the greatest number.
  /// - Returns: Its record; no record if there is no number but NaN; nil when the property's index does not
  ///   decide.
  /// - Throws: ``ObjectBoxError`` when the store cannot be read.
  func extreme(of propertyID: UInt32, isGreatest: Bool) throws -> [RecordReader]? {
    guard let definition = table.valueIndex(on: propertyID), !definition.property.has(.id),
      !definition.property.has(.indexPartialSkipZero),
      var ranges = ranges(of: definition, all: [.values]), ranges != [.null]
    else { return nil }
    if ranges == [.values] {
      // NaN is above infinity.
      switch RecordField.Kind(type: definition.property.type) {
      case .float32, .float64:
        let infinity = IndexKey.bytes { definition.key.write(double: .infinity, into: &$0) }
        ranges = [IndexRange(lower: IndexRange.values.lower, upper: .inclusive(infinity))]
      default: break
      }
    }
    let scan = try IndexScan(definition, in: transaction.storage)
    for range in isGreatest ? ranges.reversed() : ranges {
      if let id = try scan.firstID(ofLastKey: isGreatest, in: range) {
        return [try record(id, of: definition)]
      }
    }
    return []
  }

  /// Returns the ranges of an index that hold the values of all results and no others, `all` for all
  /// objects; nil when there are none.
  private func ranges(of definition: IndexDefinition, all: [IndexRange]) -> [IndexRange]? {
    guard skipped == nil, plan.isExact, links.isEmpty else { return nil }
    switch plan.path {
    case .index(let filtered, let ranges, _) where filtered === definition: return ranges
    case .scan: return all
    default: return nil
    }
  }

  private func keys(of propertyID: UInt32) throws -> (IndexDefinition, [IndexRange])? {
    guard let definition = table.valueIndex(on: propertyID),
      RecordField.Kind(type: definition.property.type).isInteger,
      let ranges = ranges(of: definition, all: [.null, .values])
    else { return nil }
    // The index may omit objects with certain values.
    if plan.isScan, try IndexScan(definition, in: transaction.storage).count() != plan.total {
      return nil
    }
    return (definition, ranges)
  }
}
