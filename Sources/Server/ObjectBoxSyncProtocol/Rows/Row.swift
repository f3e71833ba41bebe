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

  /// Returns the pair that leads to the target.
  ///
  /// - Complexity: O(log *n*) for *n* pairs.
  package func pair(_ relation: PropertyUID, to target: ObjectKey) -> Pair? {
    let place = place(relation, target)
    return has(relation, target, at: place) ? pairs[place] : nil
  }

  /// Replaces the pair that leads to the same target, or adds the pair.
  package mutating func setPair(_ pair: Pair) {
    let place = place(pair.relation, pair.target)
    if has(pair.relation, pair.target, at: place) {
      pairs[place] = pair
    } else {
      pairs.insert(pair, at: place)
    }
  }

  /// Sets pairs in order.
  ///
  /// - Complexity: O(*n* log *n*) for *n* pairs, including those of the row.
  package mutating func setPairs(_ new: [Pair]) {
    guard new.count > 1 else {
      for pair in new { setPair(pair) }
      return
    }
    var last: [PairEnd: Pair] = [:]
    for pair in new { last[PairEnd(pair)] = pair }
    pairs = pairs.filter { last[PairEnd($0)] == nil }
    pairs.append(contentsOf: last.values)
    pairs.sort()
  }

  /// The relation and the target of a pair.
  private struct PairEnd: Hashable {
    let relation: PropertyUID
    let target: ObjectKey

    init(_ pair: Pair) { (relation, target) = (pair.relation, pair.target) }
  }

  /// Removes the pair that leads to a target.
  package mutating func removePair(_ relation: PropertyUID, to target: ObjectKey) {
    let place = place(relation, target)
    if has(relation, target, at: place) { pairs.remove(at: place) }
  }

  /// Returns true if the pair at an index leads to a target.
  private func has(_ relation: PropertyUID, _ target: ObjectKey, at place: Int) -> Bool {
    place < pairs.endIndex && pairs[place].relation == relation && pairs[place].target == target
  }

  /// Returns the index of the first pair that leads to a target or to a later one.
  private func place(_ relation: PropertyUID, _ target: ObjectKey) -> Int {
    var (low, high) = (pairs.startIndex, pairs.endIndex)
    while low < high {
      let middle = (low + high) / 2
      let pair = pairs[middle]
      let isBefore =
        pair.relation != relation ? pair.relation < relation : pair.target < target
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
