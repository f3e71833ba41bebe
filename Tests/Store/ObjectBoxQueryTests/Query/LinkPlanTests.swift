import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// The planner's choice for each kind of relation: find the related objects first, or look them up
/// per candidate.
struct LinkPlanTests {
  private let world: SampleStore

  /// 40 keepers with distinct ranks; each keeps and likes every 40th of 300 samples.
  init() throws {
    let world = try SampleStore(.all)
    self.world = world
    try world.store.runInTransaction {
      try world.keepers.put((0..<40).map { Keeper(rank: $0) })
      for place in 0..<300 {
        let sample = Sample()
        sample.number = Int32(place)
        sample.text = "\(place)"
        sample.keeper.targetId = EntityId(UInt64(place % 40) + 1)
        try world.samples.put(sample)
        try world.setFans([UInt64(place % 40) + 1], of: sample)
      }
    }
  }

  private static let tested = "related objects looked up for each candidate"
  private static let found = "related objects found first by"

  private func check<E>(_ builder: QueryBuilder<E>, _ plan: String, _ expected: [Id]) throws {
    let query = try builder.build()
    let how = try query.explain()
    #expect(how.contains(plan), "\(how)")
    #expect(try query.findIds().map(\.value) == expected)
    #expect(try query.count() == expected.count)
  }

  @Test func `to-one relations`() throws {
    let some = world.samples.query { Sample.number < 3 }
    try check(some.link(Sample.keeper) { Keeper.rank != 1 }, Self.tested, [1, 3])
    let all = world.samples.query()
    try check(
      all.link(Sample.keeper) { Keeper.rank == 39 },
      Self.found,
      [40, 80, 120, 160, 200, 240, 280]
    )
  }

  @Test func `the other ends of to-one relations`() throws {
    let one = world.keepers.query { Keeper.rank ∈ [7, 8] }
    try check(one.link(Keeper.samples) { Sample.text.endsWith("7") }, Self.tested, [8])
    let all = world.keepers.query()
    try check(all.link(Keeper.samples) { Sample.number < 2 }, Self.found, [1, 2])
  }

  @Test func `standalone relations`() throws {
    let some = world.samples.query { Sample.number < 3 }
    try check(some.link(Sample.fans) { Keeper.rank != 1 }, Self.tested, [1, 3])
    let all = world.samples.query()
    try check(
      all.link(Sample.fans) { Keeper.rank == 39 },
      Self.found,
      [40, 80, 120, 160, 200, 240, 280]
    )
  }

  @Test func `the other ends of standalone relations`() throws {
    let one = world.keepers.query { Keeper.rank ∈ [7, 8] }
    try check(one.link(Keeper.liked) { Sample.text.endsWith("7") }, Self.tested, [8])
    let all = world.keepers.query()
    try check(all.link(Keeper.liked) { Sample.number < 2 }, Self.found, [1, 2])
  }

  @Test func `a link that was resolved narrows the candidates of the next`() throws {
    let query = world.samples.query()
      .link(Sample.fans) { Keeper.rank != 39 }
      .link(Sample.keeper) { Keeper.rank == 3 }
    let plan = try query.build().explain()
    #expect(plan.contains("link: keeper to 'Keeper' with rank == 3; \(Self.found)"))
    #expect(plan.contains("link: relation 1 to 'Keeper' with rank != 39; \(Self.tested)"))
    #expect(try query.build().findIds(limit: 3).map(\.value) == [4, 44, 84])
  }

  @Test func `hosts that were found first join a union`() throws {
    let query = world.samples.query {
      Sample.text == "7" || Sample.fans.link { Keeper.rank == 39 } || Sample.number == 2
    }
    let plan = try query.build().explain()
    #expect(plan.hasPrefix("union of [index on 'text'"), "\(plan)")
    #expect(plan.contains("[look-up of 7 IDs]"), "\(plan)")
    try check(query, Self.found, [3, 8, 40, 80, 120, 160, 200, 240, 280])
  }

  @Test func `a link under || is tested where few objects come so far`() throws {
    let query = world.samples.query {
      Sample.text == "7" || Sample.number < 2 && Sample.fans.link { Keeper.rank != 1 }
    }
    #expect(try query.build().explain().hasPrefix("union of [index on 'text'"))
    try check(query, Self.tested, [1, 8])
  }
}
