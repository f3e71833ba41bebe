#if os(Linux)
  import Foundation
  import ObjectBox
  import ObjectBoxProcessTestSupport
  import ObjectBoxTestSupport
  import Testing

  /// Many stores that one process has open.
  struct ManyStoresTests {
    @Test(.disabled(if: Sanitizer.isPresent, "a sanitizer takes addresses of its own"))
    func `hundreds of open stores leave a process addresses for other things`() async {
      await #expect(processExitsWith: .success) {
        let folder = try TemporaryDirectory()
        let stores = try (0..<200).map { try Row.store(folder.path + "/\($0)") }
        for store in stores { try store.box(for: Row.self).put(Row(7)) }
        let size = 16 << 40
        let flags = MAP_PRIVATE | MAP_NORESERVE | MAP_ANONYMOUS
        let place = mmap(nil, size, PROT_NONE, flags, -1, 0)
        try #require(place != MAP_FAILED)
        munmap(place, size)
        for store in stores { #expect(try store.box(for: Row.self).count() == 1) }
        for store in stores { store.close() }
      }
    }
  }
#endif
