/// A synchronized object as the protocol sees it.
package struct Row: Hashable, Sendable {
  /// The origin ID of the object.
  package var originID: OriginID
  /// The properties' values.
  package var values: PropertyList<PropertyValue>
  /// The stamp of the last write of the whole object.
  package var stamp: Stamp
  /// Stamps of single properties, in the mode ``ConflictMode/propertyClock`` only.
  package var stamps: PropertyList<Stamp>
  /// The pairs of standalone relations from this object, in ascending order.
  package var pairs: [Pair]

  /// Creates a row.
  package init(
    originID: OriginID,
    values: PropertyList<PropertyValue>,
    stamp: Stamp,
    stamps: PropertyList<Stamp> = PropertyList(),
    pairs: [Pair] = []
  ) {
    self.originID = originID
    self.values = values
    self.stamp = stamp
    self.stamps = stamps
    self.pairs = pairs
  }

  /// The row without its values, which a device keeps in addition to the object's record.
  package var versions: Row {
    Row(originID: originID, values: PropertyList(), stamp: stamp, stamps: stamps, pairs: pairs)
  }

  /// Returns the pair with an end.
  ///
  /// - Complexity: O(log *n*) for *n* pairs.
  package func pair(_ end: PairEnd) -> Pair? {
    let place = place(of: end)
    return has(end, at: place) ? pairs[place] : nil
  }

  /// Sets, replaces and removes pairs.
  ///
  /// - Parameter changes: The pairs by their ends; nil for removed ones.
  /// - Complexity: O(*n* log *n*) for *n* pairs, those of the row included.
  package mutating func setPairs(_ changes: [PairEnd: Pair?]) {
    if changes.isEmpty { return }
    if changes.count == 1, let (end, pair) = changes.first { return set(pair, at: end) }
    pairs.removeAll { changes[PairEnd($0)] != nil }
    let added = changes.values.compactMap { $0 }
    if added.isEmpty { return }
    pairs += added
    pairs.sort()
  }

  private mutating func set(_ pair: Pair?, at end: PairEnd) {
    let place = place(of: end)
    let next = has(end, at: place) ? place + 1 : place
    pairs.replaceSubrange(place..<next, with: CollectionOfOne(pair).compactMap { $0 })
  }

  /// Returns true if the pair at a place has an end.
  private func has(_ end: PairEnd, at place: Int) -> Bool {
    place < pairs.endIndex && PairEnd(pairs[place]) == end
  }

  /// Returns the place of the first pair with an end, or with one behind it.
  private func place(of end: PairEnd) -> Int {
    var (low, high) = (pairs.startIndex, pairs.endIndex)
    while low < high {
      let middle = (low + high) / 2
      let pair = pairs[middle]
      let isBefore =
        pair.relation != end.relation ? pair.relation < end.relation : pair.target < end.target
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the hash by which a device and the server compare the object.
  package func digest(at key: ObjectKey) -> UInt64 {
    var hash = StableHash()
    hash.add(key)
    hash.add(originID.bits)
    for element in values.elements {
      hash.add(element.property.value)
      hash.add(element.value)
    }
    hash.add(stamp)
    for element in stamps.elements {
      hash.add(element.property.value)
      hash.add(element.value)
    }
    for pair in pairs {
      hash.add(pair.relation.value)
      hash.add(pair.target)
      hash.add(pair.dot.bits)
    }
    return hash.value
  }
}

extension StableHash {
  fileprivate mutating func add(_ key: ObjectKey) {
    add(key.entity.value)
    add(key.id)
  }

  fileprivate mutating func add(_ stamp: Stamp) {
    add(UInt64(bitPattern: stamp.precedence))
    add(UInt64(bitPattern: stamp.time.milliseconds))
    add(UInt64(stamp.time.counter))
    add(stamp.token.bits)
  }

  package mutating func add(_ value: PropertyValue) {
    switch value {
    case .null: add(0)
    case .integer(let number):
      add(1)
      add(UInt64(bitPattern: number))
    case .double(let bits):
      add(2)
      add(bits)
    case .bytes(let bytes):
      add(3)
      add(bytes)
    case .target(let reference):
      add(4)
      add(reference.key)
      add(reference.identity.originID.bits)
    }
  }
}
