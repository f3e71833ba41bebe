import ObjectBoxLive
import ObjectBoxRuntimeTestSupport

#if os(Linux)
  import Foundation
  import ObjectBox
  import ObjectBoxTestSupport
  import Testing

  /// Reads run in their own process, so that other tests do not change its memory.
  @Suite struct ProjectionMemoryTests {
    private static let count = 100_000

    /// A store whose objects have 200 bytes besides the number that is read.
    private static func fill() throws -> TemporaryStore {
      let store = try TemporaryStore(indexes: .none)
      let people = store.store.box(for: Person.self)
      let photo = Data(repeating: 7, count: 200)
      try store.store.runInTransaction {
        for number in 0..<count {
          let person = Person("", age: Int32(number))
          person.photo = photo
          try people.put(person)
        }
      }
      store.store.close()
      return store
    }

    /// Returns a value of `/proc/self/status` in bytes.
    private static func bytes(_ name: String) throws -> Int {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
      return try #require(Int(line.filter(\.isNumber))) << 10
    }

    @Test(.disabled(if: Sanitizer.isPresent, "a sanitizer takes memory of its own"))
    func `100,000 reads of numbers take less memory than the file has bytes`() async throws {
      let store = try Self.fill()
      await #expect(processExitsWith: .success) { [path = store.path as String] in
        let store = try Store(
          model: try TemporaryStore.model(.none),
          directory: path,
          maxDbSizeInKByte: 100_000
        )
        let information = try store.statistics
        let fileSize = information.pages * information.pageSizeInBytes
        let results = try store.freeze().query(Person.self)
        // Makes the list of IDs and the runtime's type metadata, which are made once.
        _ = try results.first?[Person.age]
        let before = try Self.bytes("VmRSS")
        let privateBefore = try Self.bytes("RssAnon")
        var sum = 0
        for object in results { sum += Int(try object[Person.age]) }
        try #require(sum == Self.count * (Self.count - 1) / 2)
        // The peak, including the mapped pages that were read.
        try #require(try Self.bytes("VmHWM") - before < fileSize)
        // Almost nothing besides mapped pages: the values alone would take 20 MB.
        try #require(try Self.bytes("RssAnon") - privateBefore < 2 << 20)
      }
    }
  }
#endif
