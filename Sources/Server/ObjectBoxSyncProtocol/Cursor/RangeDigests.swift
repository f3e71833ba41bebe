/// Hashes of a device's objects in ranges of IDs, for the comparison with the server.
///
/// A range has a given number of objects, so the digests take the same bytes whether IDs lie close together or far
/// apart. Together the ranges cover all IDs, so each object of the server is in one of them.
package struct RangeDigests: Hashable, Sendable {
  /// A range and the sum of its objects' hashes.
  package struct Element: Hashable, Sendable {
    /// The range.
    package let range: KeyRange
    /// The sum of the objects' hashes.
    package let sum: ObjectSum

    /// Creates an element.
    package init(_ range: KeyRange, sum: ObjectSum = ObjectSum()) {
      self.range = range
      self.sum = sum
    }
  }

  /// The number of objects in the ranges that devices compare first after a reset.
  ///
  /// That costs a quarter of a byte for each object. With 1 % of the objects changed, far from each other, few ranges
  /// differ by several objects and must be divided.
  package static let firstSize = 64

  /// The greatest number of the device's objects in a range; 0 for ranges without hashes: the device asks for their
  /// objects.
  package let size: Int
  /// The ranges, in ascending order.
  package let elements: [Element]

  /// Creates digests.
  ///
  /// - Parameters:
  ///   - size: The greatest number of objects in a range; 0 without hashes.
  ///   - elements: Ranges in ascending order that do not overlap.
  package init(size: Int, _ elements: [Element]) {
    self.size = size
    self.elements = elements
  }

  /// Creates the request for all objects of some ranges.
  ///
  /// - Parameter ranges: Ranges in ascending order that do not overlap.
  package init(wanting ranges: [KeyRange]) {
    self.init(size: 0, ranges.map { Element($0) })
  }

  /// The compared IDs, in ascending order.
  package var covered: [KeyRange] { elements.map(\.range).joined }

  /// Returns the index of the range with a key, or nil.
  ///
  /// - Complexity: O(log *n*) for *n* ranges.
  package func index(of key: ObjectKey) -> Int? {
    var low = 0
    var high = elements.count
    while low < high {
      let middle = (low + high) / 2
      if elements[middle].range.ends(before: key) { low = middle + 1 } else { high = middle }
    }
    return low < elements.count && elements[low].range.contains(key) ? low : nil
  }
}

/// Divides ranges of IDs by the number of objects in them, and adds the objects' hashes.
package struct DigestBuilder {
  private var size: Int
  /// At twice this number of parts, they are joined in pairs.
  private let limit: Int
  /// The greatest number of parts.
  private let end: Int
  /// The given ranges that have not ended, the present one first.
  private var rest: ArraySlice<KeyRange>
  private var elements: [RangeDigests.Element] = []
  /// The first ID of the present part, its number of objects and the sum of their hashes.
  private var part: (first: UInt64, count: Int, sum: ObjectSum)

  /// Creates a builder.
  ///
  /// - Parameters:
  ///   - ranges: Ranges in ascending order that do not overlap.
  ///   - size: The greatest number of objects in a part, at least 1.
  ///   - limit: At twice this number of parts, parts that touch are joined in pairs, with up to twice as many objects,
  ///     so that digests of a large store stay small.
  ///   - end: The greatest number of parts, at least 1; ``left`` has the ranges after the last one.
  package init(dividing ranges: [KeyRange], size: Int, limit: Int = .max, end: Int = .max) {
    self.size = max(size, 1)
    self.limit = limit
    self.end = max(end, 1)
    rest = ranges[...]
    part = (ranges.first?.ids.lowerBound ?? 1, 0, ObjectSum())
  }

  /// Adds an object of the ranges; keys must be in ascending order.
  ///
  /// - Returns: False if the greatest number of parts is reached; further objects are ignored.
  @discardableResult package mutating func add(_ row: Row, at key: ObjectKey) -> Bool {
    while !isFull, let range = rest.first, range.ends(before: key) { endRange(range) }
    guard !isFull else { return false }
    guard rest.first?.contains(key) == true else { return true }
    if part.count == size {
      endPart(at: key.id - 1)
      part.first = key.id
      if isFull { return false }
    }
    part.count += 1
    part.sum.add(row.digest(at: key), id: key.id)
    return true
  }

  /// Returns the digests.
  package mutating func finish() -> RangeDigests {
    while !isFull, let range = rest.first { endRange(range) }
    return RangeDigests(size: size, elements)
  }

  /// The ranges after the last part; valid after ``finish()``.
  package var left: [KeyRange] {
    guard let range = rest.first else { return [] }
    return [KeyRange(range.entity, part.first...range.ids.upperBound)] + rest.dropFirst()
  }

  private var isFull: Bool { elements.count >= end }

  private mutating func endRange(_ range: KeyRange) {
    endPart(at: range.ids.upperBound)
    rest.removeFirst()
    part.first = rest.first?.ids.lowerBound ?? 1
  }

  private mutating func endPart(at last: UInt64) {
    guard let range = rest.first else { return }
    elements.append(
      RangeDigests.Element(KeyRange(range.entity, part.first...last), sum: part.sum)
    )
    part.count = 0
    part.sum = ObjectSum()
    if elements.count / 2 >= limit, size <= Int.max / 2 { joinPairs() }
  }

  private mutating func joinPairs() {
    var joined: [RangeDigests.Element] = []
    var isPair = false
    for element in elements {
      if let last = joined.last, !isPair, last.range.touches(element.range) {
        var sum = last.sum
        sum.add(element.sum)
        joined[joined.count - 1] = RangeDigests.Element(
          KeyRange(last.range.entity, last.range.ids.lowerBound...element.range.ids.upperBound),
          sum: sum
        )
        isPair = true
      } else {
        joined.append(element)
        isPair = false
      }
    }
    elements = joined
    size *= 2
  }
}
