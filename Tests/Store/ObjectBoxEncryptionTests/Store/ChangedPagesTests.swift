#if os(Linux) && OBJECTBOX_SODIUM
  import Foundation
  import ObjectBox
  import ObjectBoxCare
  import ObjectBoxRuntimeTestSupport
  import ObjectBoxStorage
  import ObjectBoxTestSupport
  import Testing

  @testable import ObjectBoxEncryption

  struct ChangedPagesTests {
    @Test(arguments: 1...TestLength.choose(short: 1, long: 3))
    func `exactly the pages that a version uses are sealed, after any changes`(seed: Int) throws {
      var random = SplitMix(seed: seed)
      let test = try EncryptedStore()
      var ages: [Id: Int32] = [:]
      for round in 0..<40 {
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1:
          let people = (0..<Int.random(in: 1..<400, using: &random)).map { number in
            let person = Person("\(number % 7)", age: Int32(round))
            let size = Int.random(in: 0..<20, using: &random)
            person.photo = size == 0 ? Data(repeating: 1, count: 30_000) : nil
            return person
          }
          try test.people.put(people)
          for person in people { ages[person.id] = person.age }
        case 2:
          let removed = ages.keys.sorted().filter { _ in Bool.random(using: &random) }
          _ = try test.people.remove(removed)
          for id in removed { ages[id] = nil }
        case 3:
          for person in try test.people.all().prefix(50) {
            person.age += 1
            try test.people.put(person)
            ages[person.id] = person.age
          }
        default:
          try test.reopen(indexes: Bool.random(using: &random) ? .all : .none)
        }
        try check(test)
      }
      try test.reopen()
      let found = try test.people.all().map { ($0.id, $0.age) }
      #expect(Dictionary(uniqueKeysWithValues: found) == ages)
    }

    /// Compares the sealed pages with those that a walk over all trees finds.
    private func check(_ test: EncryptedStore) throws {
      let transactions = test.store.transactions
      let image = try #require(transactions.mirror as? SealedImage)
      try transactions.atNewestVersion(for: .check, begin: { image.state }) { state, copy, head in
        let counts = try copy.verify(head, .all) { _ in
          Issue.record("the copy in memory has a fault")
          return false
        }
        #expect(state.version == head.version)
        #expect(state.liveCount == counts.branchPages + counts.leafPages + counts.overflowPages)
        #expect(state.liveCount == state.seals.count { $0.version != 0 })
      }
    }
  }
#endif
