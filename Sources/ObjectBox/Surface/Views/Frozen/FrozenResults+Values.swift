extension FrozenResults {
  /// Returns the values of a property, in the order of the objects; no object is made.
  ///
  /// - Parameter property: The property.
  /// - Returns: A value for each object.
  /// - Throws: ``ObjectBoxError``: `invalidated`, or `illegalArgument` when the model lacks the property.
  public func values<V: RecordValue, R>(of property: Property<E, V, R>) throws -> [V.Projection] {
    try snapshot.reading {
      let store = snapshot.reader
      let projection = try RecordProjection(property, store.file)
      var values: [V.Projection] = []
      let numbers = try numbers()
      values.reserveCapacity(numbers.count)
      try Box<E>(store: store).reading { table, transaction in
        let scan = try RecordScan(table, in: transaction)
        // Unoptimised, a for loop over an array takes memory at each step.
        var index = 0
        while index < numbers.count {
          if let record = try scan.record(id: numbers[index]) {
            values.append(projection.value(in: record))
          }
          index += 1
        }
      }
      return values
    }
  }
}
