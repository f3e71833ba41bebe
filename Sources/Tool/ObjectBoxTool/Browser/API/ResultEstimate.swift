internal import ObjectBox
internal import ObjectBoxDynamic
internal import ObjectBoxStorage

/// An estimate of the number of a filter's results, from a sample of the entity's IDs.
struct ResultEstimate {
  /// The number of IDs that are tested: one of each of as many equal parts of all IDs of the entity.
  private static let sampleSize: UInt64 = 400

  var count: Int
  /// True if all IDs were tested.
  var isExact: Bool
  /// True if no sampled object matches, so that the count is only a bound.
  var isBound = false

  /// Estimates the results of a condition; nil for an entity without objects.
  init?(
    _ entity: EntitySchema,
    _ condition: String,
    in version: any ContentVersion,
    _ shape: Store
  ) throws {
    guard let idName = entity.idProperty?.name else { return nil }
    func end(_ flags: OrderFlags...) throws -> UInt64? {
      let builder = try shape.box(named: entity.name).query()
      let query = try (flags.isEmpty ? builder : builder.ordered(by: idName, flags: .descending))
        .build()
      var id: UInt64?
      try version.forEachRecord(of: query, after: nil, limit: 1) { id = $0.objectID }
      return id
    }
    guard let first = try end(), let last = try end(.descending) else { return nil }
    let width = last - first
    let ids: [UInt64]
    if width < Self.sampleSize {
      isExact = true
      ids = Array(first...last)
    } else {
      isExact = false
      let step = width / Self.sampleSize
      // The rest shifts the later IDs, so that the last ones are not left out.
      let rest = width % Self.sampleSize
      var generator = SampleGenerator()
      // Equal distances would find too many or too few where values repeat at the same distance.
      ids = (0..<Self.sampleSize).map { part in
        first + step * part + min(part, rest) + .random(in: 0..<step, using: &generator)
      }
    }
    let query = try StoreQuery.builder(
      entity.name,
      condition: condition,
      and: { $0[idName].isIn(ids) },
      in: shape
    ).build()
    let found = try version.count(of: query)
    guard !isExact else {
      count = found
      return
    }
    isBound = found == 0
    // If none of n objects match, at most three of n do, in 19 of 20 cases.
    let share = Double(isBound ? 3 : found) / Double(ids.count)
    count = Int(min(share * Double(width), Double(Int32.max)))
  }
}

/// The same numbers each time (SplitMix64), so that an estimate changes only with the objects.
private struct SampleGenerator: RandomNumberGenerator {
  private var state: UInt64 = 0

  mutating func next() -> UInt64 {
    defer { state &+= 0x9e37_79b9_7f4a_7c15 }
    return state.mixed
  }
}
