import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

struct LimitWorkloadTests {
  /// Puts, updates and removes at random near the limit, with occasional snapshots.
  @Test(arguments: 1...6)
  func `no workload makes the file larger than the limit and what removals may take`(_ seed: Int)
    throws
  {
    var random = SplitMix(seed: seed)
    let full = try FullStore(kilobytes: 400)
    var expected: [Id: Int] = [:]
    var snapshot: Snapshot?
    var next = 0
    var refusals = 0
    for _ in 0..<400 {
      let before = expected
      let message = fullMessage {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4:
          let people = (0..<Int.random(in: 1...20, using: &random)).map { _ in
            next += 1
            return FullStore.person(next, size: Int.random(in: 1...3000, using: &random))
          }
          try full.people.put(people)
          for person in people { expected[person.id] = person.photo?.count }
        case 4..<6:
          guard let id = expected.keys.sorted().randomElement(using: &random),
            let person = try full.people.get(id)
          else { return }
          person.photo = Data(count: Int.random(in: 1...3000, using: &random))
          try full.people.put(person)
          expected[id] = person.photo?.count
        case 6..<9:
          let ids = expected.keys.sorted().shuffled(using: &random)
            .prefix(Int.random(in: 1...30, using: &random))
          try full.people.remove(Array(ids))
          for id in ids { expected[id] = nil }
        default:
          snapshot?.invalidate()
          snapshot = Bool.random(using: &random) ? try full.store.freeze() : nil
        }
      }
      if message != nil {
        refusals += 1
        expected = before
      }
      #expect(try full.pages() <= full.removalLimit())
    }
    snapshot?.invalidate()
    #expect(refusals > 0)
    let stored = try full.people.all().map { ($0.id, $0.photo?.count ?? 0) }
    #expect(Dictionary(uniqueKeysWithValues: stored) == expected)
    try full.expectSound()
  }
}
