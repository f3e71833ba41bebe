import ObjectBoxRuntimeTestSupport

#if os(Linux)
  import Foundation
  import Glibc
  import ObjectBox
  import ObjectBoxTestSupport
  import Testing

  /// Each scan runs in a process that may take 10 MB more than at its start.
  ///
  /// So the peak counts, and other tests do not.
  @Suite struct ScanMemoryTests {
    private static let count = 1_000_000
    private static let allowance = 10 << 20

    /// A store with a million objects.
    private static func fill() throws -> TemporaryStore {
      let store = try TemporaryStore(maxDbSizeInKByte: 1_000_000)
      let box = store.store.box(for: Point.self)
      try store.store.runInTransaction {
        for number in 0..<count { try box.put(Point(id: 0, x: Double(number), y: 1)) }
      }
      store.store.close()
      return store
    }

    /// Leaves stacks to threads that start later, since a new stack would take 8 MB of the allowance.
    private static func leaveStacks() throws {
      let gate = DispatchSemaphore(value: 0)
      let threads = try (0..<4).map { _ in
        var thread = pthread_t()
        let code = pthread_create(
          &thread,
          nil,
          { gate in
            gate.map { Unmanaged<DispatchSemaphore>.fromOpaque($0).takeUnretainedValue().wait() }
            return nil
          },
          Unmanaged.passUnretained(gate).toOpaque()
        )
        try #require(code == 0)
        return thread
      }
      for _ in threads { gate.signal() }
      for thread in threads { pthread_join(thread, nil) }
    }

    /// Opens a store, then limits the process to little more memory.
    private static func openWithLittleMemory(_ path: String) throws -> Box<Point> {
      let store = try Store(
        model: try TemporaryStore.model(),
        directory: path,
        maxDbSizeInKByte: 1_000_000
      )
      let box = store.box(for: Point.self)
      _ = try box.get(1)
      try leaveStacks()
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmData:") })
      let kilobytes = try #require(UInt(line.filter(\.isNumber)))
      // The limit covers private memory only; the file's map is shared.
      var limit = rlimit()
      limit.rlim_cur = rlim_t(kilobytes << 10) + rlim_t(allowance)
      limit.rlim_max = limit.rlim_cur
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit) == 0)
      return box
    }

    @Test(.tags(.slow), .disabled(if: Sanitizer.isPresent, "a sanitizer takes memory of its own"))
    func `scans that keep nothing take less than 10 MB, for a million objects`() async throws {
      let store = try Self.fill()
      await #expect(processExitsWith: .success) { [path = store.path as String] in
        let box = try Self.openWithLittleMemory(path)
        var visited = 0
        try box.forEach { _ in visited += 1 }
        try #require(visited == Self.count)
        let x = Property<Point, Double, Void>(propertyId: 2)
        let query = try box.query { x < 900_000 }.build()
        try #require(try query.count() == 900_000)
        try #require(try query.property(x).count() == 900_000)
      }
      // Shows that the limit has an effect.
      await #expect(processExitsWith: .failure) { [path = store.path as String] in
        _ = try Self.openWithLittleMemory(path).all()
      }
    }
  }
#endif
