#if os(Linux) && OBJECTBOX_SODIUM
  import Foundation
  import ObjectBox
  import ObjectBoxRuntimeTestSupport
  import ObjectBoxTestSupport
  import Testing

  @testable import ObjectBoxEncryption

  /// Opens what a loss of power may have left of a store.
  ///
  /// At each sync, the files are known as they were at the sync before, and as they are now. Of each
  /// sector that was written in between, the disk may have the former or the new bytes, or garbage.
  struct PowerLossTests {
    private static let sectorSize = 512

    /// The state of the files at a sync, and the number of commits that were told before.
    private struct Moment: Sendable {
      /// The pages file at the sync before.
      var synced: [UInt8]
      /// The pages file now.
      var written: [UInt8]
      var head: [UInt8]
      /// The head that a rename is about to put in place.
      var nextHead: [UInt8]
      var told: Int
    }

    @Test(arguments: 1...3)
    func `a loss of power leaves the newest version or the one before`(seed: Int) throws {
      var random = SplitMix(seed: seed)
      let test = try store()
      let moments = try moments(
        of: test,
        commits: 24 * TestLength.choose(short: 1, long: 3),
        &random
      )
      #expect(moments.count > 24)
      #expect(Set(moments.map(\.head)).count > 1)
      for moment in moments {
        for _ in 0..<TestLength.choose(short: 1, long: 4) {
          try test.write(torn(moment, &random), to: test.pagesName)
          let heads = [moment.head, moment.nextHead].filter { !$0.isEmpty }
          try test.write(random.pick(heads), to: "sealed.head")
          try check(test, told: moment.told)
        }
      }
    }

    /// A closed store with a small log, so that heads change often.
    private func store() throws -> EncryptedStore {
      let test = try EncryptedStore()
      test.close()
      for name in try FileManager.default.contentsOfDirectory(atPath: test.path) {
        try FileManager.default.removeItem(atPath: test.path + "/" + name)
      }
      var key = test.key
      key.newLogBlocks = 14
      try ImageOpening(store: .test(test.path), encryption: key).run().close()
      try test.reopen()
      return test
    }

    private func moments(
      of test: EncryptedStore,
      commits: Int,
      _ random: inout SplitMix
    ) throws -> [Moment] {
      let (path, pagesName) = (test.path, try test.pagesName)
      let read: @Sendable (String) -> [UInt8] = { name in
        [UInt8]((try? Data(contentsOf: URL(fileURLWithPath: path + "/" + name))) ?? Data())
      }
      struct Progress {
        var synced: [UInt8]
        var told = 0
        var moments: [Moment] = []
      }
      let progress = Guarded(Progress(synced: read(pagesName)))
      let sync: @Sendable (Int32) -> Int32 = { descriptor in
        let name = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\(descriptor)"
        )
        let isHead = name?.hasSuffix("sealed.head.new") ?? false
        progress.withLock { progress in
          let pages = read(pagesName)
          progress.moments.append(
            Moment(
              synced: progress.synced,
              written: pages,
              head: read("sealed.head"),
              nextHead: isHead ? read("sealed.head.new") : [],
              told: progress.told
            )
          )
          if !isHead { progress.synced = pages }
        }
        return fdatasync(descriptor) == 0 ? 0 : errno
      }
      let sizes = (0..<commits).map { _ in Int.random(in: 0..<3, using: &random) * 3000 }
      try ImageFiles.$synchronize.withValue(sync) {
        for (number, size) in sizes.enumerated() {
          let person = Person("\(number)", email: "\(number)", age: Int32(number))
          person.photo = Data(repeating: UInt8(number & 255), count: size)
          try test.people.put(person)
          progress.withLock { $0.told = number + 1 }
        }
      }
      test.close()
      return progress.copy.moments
    }

    /// Returns the pages file with a choice for each sector that was written without a sync.
    private func torn(_ moment: Moment, _ random: inout SplitMix) -> [UInt8] {
      var result = moment.written
      let choice = Int.random(in: 0..<3, using: &random)
      for sector in 0..<(result.count / Self.sectorSize) {
        let range = (sector * Self.sectorSize)..<((sector + 1) * Self.sectorSize)
        let old =
          range.upperBound <= moment.synced.count
          ? moment.synced[range] : ArraySlice(repeating: 0, count: Self.sectorSize)
        if result[range].elementsEqual(old) { continue }
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<4 where choice != 0: result.replaceSubrange(range, with: old)
        case 4 where choice == 2:
          for place in range { result[place] = UInt8.random(in: 0...255, using: &random) }
        default: break
        }
      }
      return result
    }

    private func check(_ test: EncryptedStore, told: Int) throws {
      try test.reopen()
      defer { test.close() }
      let people = try test.people.all()
      #expect(people.count == told || people.count == told + 1)
      let names = people.indices.map { "\($0)" }
      #expect(people.map(\.name) == names)
      try test.people.put(Person("after"))
    }
  }
#endif
