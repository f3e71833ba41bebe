extension WireWriter {
  /// Writes ranges of IDs in ascending order, by entity, each as the difference to the previous one.
  ///
  /// - Parameters:
  ///   - ranges: The ranges.
  ///   - body: Writes the data that follow the range with the given index.
  package mutating func append(
    ranges: [KeyRange],
    _ body: (_ writer: inout WireWriter, _ index: Int) -> Void = { _, _ in }
  ) {
    append(count: ranges.reduce(into: Set<EntityUID>()) { $0.insert($1.entity) }.count)
    var index = 0
    while index < ranges.count {
      let entity = ranges[index].entity
      let end = ranges[index...].firstIndex { $0.entity != entity } ?? ranges.count
      append(entity)
      append(count: end - index)
      var next: UInt64 = 1
      while index < end {
        let ids = ranges[index].ids
        let gap = ids.lowerBound - next
        append((ids.upperBound - ids.lowerBound) << 1 | (gap == 0 ? 0 : 1))
        if gap != 0 { append(gap) }
        body(&self, index)
        next = ids.upperBound + 1
        index += 1
      }
    }
  }
}

extension WireReader {
  /// Reads ranges of IDs in ascending order.
  ///
  /// - Parameter body: Reads the data that follow a range.
  /// - Returns: The ranges.
  /// - Throws: ``WireError`` for ranges that are not in ascending order or have IDs that no object can have.
  package mutating func ranges(
    _ body: (_ reader: inout WireReader, _ range: KeyRange) throws(WireError) -> Void = {
      (_, _) throws(WireError) in
    }
  ) throws(WireError) -> [KeyRange] {
    var ranges: [KeyRange] = []
    for _ in 0..<(try count()) {
      let entity = try value(EntityUID.self)
      if let last = ranges.last, last.entity >= entity {
        throw error("the entities of ranges are not in ascending order")
      }
      var next: UInt64 = 1
      for _ in 0..<(try count()) {
        let number = try number()
        let gap = number & 1 == 0 ? 0 : try self.number()
        let (first, isTooFar) = next.addingReportingOverflow(gap)
        let (last, isTooLong) = first.addingReportingOverflow(number >> 1)
        guard !isTooFar, !isTooLong, last <= KeyRange.greatestID else {
          throw error("a range has IDs that no object has")
        }
        let range = KeyRange(entity, first...last)
        try body(&self, range)
        ranges.append(range)
        next = last + 1
      }
    }
    return ranges
  }

  /// Reads the number of objects in a range; 0 for ranges without hashes.
  fileprivate mutating func size() throws(WireError) -> Int {
    let number = try number()
    guard let size = Int(exactly: number) else { throw error("\(number) is no size of ranges") }
    return size
  }

  /// Reads ranges of IDs in ascending order that come after another range.
  fileprivate mutating func ranges(behind last: KeyRange?) throws(WireError) -> [KeyRange] {
    let ranges = try ranges()
    if let last, let first = ranges.first, last.reaches(first) {
      throw error("the ranges that follow begin before the end of others")
    }
    return ranges
  }
}

extension KeyRange {
  /// Returns true if the other range begins before the end of this one.
  fileprivate func reaches(_ next: Self) -> Bool {
    entity == next.entity ? ids.upperBound >= next.ids.lowerBound : entity > next.entity
  }
}

extension ObjectSum: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(bits: hashes)
    writer.append(bits: products)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(hashes: try reader.bits(), products: try reader.bits())
  }
}

extension RangeDigests: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(UInt64(size))
    writer.append(ranges: elements.map(\.range)) {
      if size > 0 { $0.append(elements[$1].sum) }
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    let size = try reader.size()
    var elements: [Element] = []
    _ = try reader.ranges { (reader, range) throws(WireError) in
      elements.append(Element(range, sum: size > 0 ? try reader.value() : ObjectSum()))
    }
    self.init(size: size, elements)
  }
}

extension ComparisonBase: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(cursor)
    writer.append(scopes)
    writer.append(latest)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      cursor: try reader.value(),
      scopes: try reader.value(),
      latest: try reader.value()
    )
  }
}

extension Reset: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(state)
    writer.append(epoch)
    writer.append(byte: endsComparison ? 1 : 0)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      state: try reader.value(),
      epoch: try reader.value(),
      endsComparison: try reader.flag()
    )
  }
}

extension Digests: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(deltaRequest)
    writer.append(epoch)
    writer.append(base)
    writer.append(stagingArea)
    writer.append(ranges)
    writer.append(ranges: rest)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    let deltaRequest = try reader.value(DeltaRequest.self)
    let epoch = try reader.value(Epoch.self)
    let base = try reader.optional(ComparisonBase.self)
    let stagingArea = try reader.number()
    let ranges = try reader.value(RangeDigests.self)
    let rest = try reader.ranges(behind: ranges.elements.last?.range)
    self.init(
      deltaRequest: deltaRequest,
      epoch: epoch,
      base: base,
      stagingArea: stagingArea,
      ranges: ranges,
      rest: rest
    )
  }
}

extension ResetPart: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(ranges: ranges)
    writer.append(rows)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    self.init(ranges: try reader.ranges(), rows: try reader.value())
  }
}

extension Refine: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(state)
    writer.append(base)
    writer.append(stagingArea)
    writer.append(part)
    writer.append(ranges: ranges)
    writer.append(UInt64(size))
    writer.append(ranges: rest)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    let state = try reader.value(StateKey.self)
    let base = try reader.value(ComparisonBase.self)
    let stagingArea = try reader.number()
    let part = try reader.optional(ResetPart.self)
    let ranges = try reader.ranges()
    let size = try reader.size()
    self.init(
      state: state,
      base: base,
      stagingArea: stagingArea,
      part: part,
      ranges: ranges,
      size: size,
      rest: try reader.ranges(behind: ranges.last)
    )
  }
}

extension StagingArea: WireValue {
  package func write(to writer: inout WireWriter) {
    writer.append(state)
    writer.append(base)
    writer.append(key)
    writer.append(ranges: ranges)
    writer.append(UInt64(size))
    writer.append(ranges: rest)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    let state = try reader.value(StateKey.self)
    let base = try reader.value(ComparisonBase.self)
    let key = try reader.number()
    let ranges = try reader.ranges()
    let size = try reader.size()
    let rest = try reader.ranges(behind: ranges.last)
    self.init(state: state, base: base, key: key, ranges: ranges, size: size, rest: rest)
  }
}
