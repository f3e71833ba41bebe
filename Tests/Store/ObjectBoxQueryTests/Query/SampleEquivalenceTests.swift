import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Compares random queries with a filter in Swift: nested links, orders and limits, on random data
/// under random indexes.
struct SampleEquivalenceTests {
  private typealias Test<E> = (E) -> Bool

  /// A store, and the expected content.
  private final class World {
    let store: SampleStore
    var samples: [Sample] = []
    var keepers: [Keeper] = []
    var keptBy: [Id: [Sample]] = [:]
    var likedBy: [Id: [Sample]] = [:]
    var keeperByID: [Id: Keeper] = [:]

    init(_ indexes: SampleStore.Indexes) throws {
      store = try SampleStore(indexes)
    }

    /// Computes the relations as seen from the other end.
    func settle() {
      keeperByID = Dictionary(uniqueKeysWithValues: keepers.map { ($0.id, $0) })
      for sample in samples {
        if let keeper = sample.keeper.targetId?.value { keptBy[keeper, default: []].append(sample) }
        for fan in sample.fanIDs { likedBy[fan, default: []].append(sample) }
      }
    }
  }

  // MARK: Data

  private func indexes(_ random: inout SplitMix) -> SampleStore.Indexes {
    var indexes = SampleStore.Indexes()
    let all = SampleStore.Indexes.all
    if Bool.random(using: &random) {
      indexes.number = random.pick([
        all.number, [.indexed, .indexPartialSkipNull], [.indexed, .indexPartialSkipZero],
      ])
    }
    if Bool.random(using: &random) { indexes.size = all.size }
    if Bool.random(using: &random) {
      indexes.text = random.pick([all.text, [.indexed, .indexHash]])
    }
    if Bool.random(using: &random) { indexes.date = all.date }
    if Bool.random(using: &random) { indexes.weight = all.weight }
    if Int.random(in: 0..<3, using: &random) > 0 { indexes.keeper = all.keeper }
    if Bool.random(using: &random) { indexes.rank = all.rank }
    if Bool.random(using: &random) {
      indexes.key = random.pick([all.key, [.indexed, .indexPartialSkipNull]])
    }
    return indexes
  }

  private func fill(_ sample: Sample, keepers: [Keeper], _ random: inout SplitMix) {
    func some<T>(_ values: [T]) -> T? {
      Int.random(in: 0..<4, using: &random) == 0 ? nil : random.pick(values)
    }
    sample.number = some(RandomSamples.numbers)
    sample.size = random.pick(RandomSamples.sizes)
    sample.text = some(RandomSamples.texts)
    sample.date = some(RandomSamples.dates)
    sample.weight = some(RandomSamples.weights + [.nan])
    sample.marks = some([[], [1], [1, 2, 3], [-1, 7], RandomSamples.numbers])
    sample.words = some([[], ["a"], ["A", "b"], RandomSamples.texts])
    sample.key = some(RandomSamples.keys)
    sample.keeper.targetId = some(keepers.map(\._id))
  }

  private func world(count: Int, _ random: inout SplitMix) throws -> World {
    let world = try World(indexes(&random))
    try world.store.store.runInTransaction {
      world.keepers = (0..<12).map { _ in Keeper(rank: Int32.random(in: 0..<6, using: &random)) }
      try world.store.keepers.put(world.keepers)
      for _ in 0..<count {
        let sample = Sample()
        fill(sample, keepers: world.keepers, &random)
        world.samples.append(sample)
      }
      try world.store.samples.put(world.samples)
      // Changed and removed objects must leave no index entries.
      for sample in world.samples.shuffled(using: &random).prefix(count / 3) {
        fill(sample, keepers: world.keepers, &random)
        try world.store.samples.put(sample)
      }
      let ids = world.keepers.map(\.id)
      for sample in world.samples where Bool.random(using: &random) {
        let fans = Set(ids.shuffled(using: &random).prefix(3))
        try world.store.setFans(fans, of: sample)
      }
      let victims = Set(world.samples.shuffled(using: &random).prefix(count / 8).map(\.id))
      try world.store.samples.remove(victims)
      world.samples.removeAll { victims.contains($0.id) }
      let gone = world.keepers.removeLast()
      try world.store.keepers.remove(gone)
      for sample in world.samples {
        sample.fanIDs.remove(gone.id)
        if sample.keeper.targetId == gone._id { sample.keeper.targetId = nil }
      }
    }
    world.settle()
    return world
  }

  // MARK: Conditions

  private func tree<E>(
    _ depth: Int,
    _ random: inout SplitMix,
    _ leaf: (inout SplitMix) -> (QueryCondition<E>, Test<E>)
  ) -> (QueryCondition<E>, Test<E>) {
    guard depth > 0, Int.random(in: 0..<3, using: &random) > 0 else { return leaf(&random) }
    let left = tree(depth - 1, &random, leaf)
    let right = tree(depth - 1, &random, leaf)
    return Bool.random(using: &random)
      ? (left.0 && right.0, { left.1($0) && right.1($0) })
      : (left.0 || right.0, { left.1($0) || right.1($0) })
  }

  /// A condition on samples: on a value or, while `links` is not 0, by a link to keepers.
  private func sampleLeaf(
    _ world: World,
    links: Int,
    _ random: inout SplitMix
  ) -> (QueryCondition<Sample>, Test<Sample>) {
    guard links > 0, Int.random(in: 0..<4, using: &random) == 0 else {
      return RandomSamples.leaf(&random)
    }
    let (inner, test) = tree(1, &random) { keeperLeaf(world, links: links - 1, &$0) }
    let matches = known(test)
    let keepers = world.keeperByID
    if Bool.random(using: &random) {
      return (
        Sample.keeper.link { inner },
        { $0.keeper.targetId.flatMap { keepers[$0.value] }.map(matches) ?? false }
      )
    }
    return (
      Sample.fans.link { inner }, { $0.fanIDs.contains { keepers[$0].map(matches) ?? false } }
    )
  }

  /// A condition on keepers: on a value or, while `links` is not 0, by a link to samples.
  private func keeperLeaf(
    _ world: World,
    links: Int,
    _ random: inout SplitMix
  ) -> (QueryCondition<Keeper>, Test<Keeper>) {
    if links > 0, Int.random(in: 0..<3, using: &random) == 0 {
      let (inner, test) = tree(2, &random) { sampleLeaf(world, links: links - 1, &$0) }
      let matches = known(test)
      let (relation, related) = random.pick([
        (Keeper.samples, world.keptBy), (Keeper.liked, world.likedBy),
      ])
      return (relation.link { inner }, { related[$0.id]?.contains(where: matches) ?? false })
    }
    let rank = Int32.random(in: 0..<6, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return (Keeper.rank == rank, { $0.rank == rank })
    case 1: return (Keeper.rank > rank, { $0.rank > rank })
    default: return (Keeper.rank != rank, { $0.rank != rank })
    }
  }

  /// Caches the answers of a test: links lead to one object from many others.
  private func known<E: Entity>(_ test: @escaping Test<E>) -> Test<E>
  where E: EntityInspectable & __EntityRelatable {
    var answers: [ObjectIdentifier: Bool] = [:]
    return { object in
      let identity = ObjectIdentifier(object as AnyObject)
      if let answer = answers[identity] { return answer }
      let answer = test(object)
      answers[identity] = answer
      return answer
    }
  }

  // MARK: Cases

  private func checkSamples(_ world: World, _ random: inout SplitMix) throws {
    var builder: QueryBuilder<Sample>
    var tests: [Test<Sample>] = []
    if Int.random(in: 0..<5, using: &random) > 0 {
      let (condition, test) = tree(2, &random) { sampleLeaf(world, links: 2, &$0) }
      builder = world.store.samples.query { condition }
      tests.append(test)
    } else {
      builder = world.store.samples.query()
    }
    if Int.random(in: 0..<5, using: &random) == 0 {
      let (inner, test) = tree(1, &random) { keeperLeaf(world, links: 1, &$0) }
      builder = builder.link(Sample.keeper) { inner }
      let keepers = world.keeperByID
      tests.append { $0.keeper.targetId.flatMap { keepers[$0.value] }.map(test) ?? false }
    }
    var expected = world.samples.filter { sample in tests.allSatisfy { $0(sample) } }
    var orders: [RandomSamples.Order] = []
    for _ in 0..<random.pick([0, 1, 1, 1, 2]) { orders.append(RandomSamples.order(&random)) }
    for order in orders { builder = order.apply(builder) }
    expected.sort { a, b in
      for order in orders {
        let result = order.compare(a, b)
        if result != 0 { return result < 0 }
      }
      return a.id < b.id
    }
    try check(try builder.build(), expected.map(\.id), &random)
  }

  private func checkKeepers(_ world: World, _ random: inout SplitMix) throws {
    let (condition, test) = tree(2, &random) { keeperLeaf(world, links: 3, &$0) }
    var builder = world.store.keepers.query { condition }
    var expected = world.keepers.filter(test)
    if Bool.random(using: &random) {
      builder = builder.ordered(by: Keeper.rank, flags: .descending)
      expected.sort { $0.rank > $1.rank || ($0.rank == $1.rank && $0.id < $1.id) }
    }
    try check(try builder.build(), expected.map(\.id), &random)
  }

  private func check<E>(_ query: Query<E>, _ expected: [Id], _ random: inout SplitMix) throws {
    func describe(_ what: String, _ limit: Int = 0) -> Comment {
      "\(what)\n\(query)\n\((try? query.explain(limit: limit)) ?? "")"
    }
    let offset = random.pick([0, 0, 1, 5])
    let limit = random.pick([1, 2, 3, 10])
    let all = try query.findIds().map(\.value)
    #expect(all == expected, describe("all"))
    let count = try query.count()
    #expect(count == expected.count, describe("count"))
    let part = try query.findIds(offset: offset, limit: limit).map(\.value)
    let wanted = Array(expected.dropFirst(offset).prefix(limit))
    #expect(part == wanted, describe("from \(offset), at most \(limit)", limit))
    guard Int.random(in: 0..<4, using: &random) == 0 else { return }
    let objects = try query.find(offset: offset, limit: limit).map { $0._id.value }
    #expect(objects == wanted, describe("objects from \(offset), at most \(limit)", limit))
    let first = try query.findFirst()?._id.value
    #expect(first == expected.first, describe("first", 1))
  }

  @Test(.tags(.slow), arguments: 0..<TestLength.choose(short: 8, long: 17))
  func `answers are those of a filter and a sort in Swift`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    let world = try world(count: 80, &random)
    for number in 0..<400 {
      if number % 4 == 0 {
        try checkKeepers(world, &random)
      } else {
        try checkSamples(world, &random)
      }
    }
  }

  @Test(arguments: 100..<TestLength.choose(short: 102, long: 104))
  func `answers are the same where only what pays is done by index`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    let world = try world(count: 1300, &random)
    for number in 0..<50 {
      if number % 4 == 0 {
        try checkKeepers(world, &random)
      } else {
        try checkSamples(world, &random)
      }
    }
  }
}
