import ObjectBox
import ObjectBoxCluster
import ObjectBoxSync
import Testing

@testable import ObjectBoxSyncServer

/// Counters of stores whose transactions share commits.
@Suite(
  .enabled(if: TestServer.isThere, TestServer.reason),
  .enabled(if: hasWebSockets, "libwebsockets is missing"),
  .timeLimit(.minutes(15))
)
struct SharedCommitCounterTests {
  @Test func `all counts of two devices arrive, whatever shares their commits`() async throws {
    try await ErrandDevice.serving {
      rule(Errand.self)
      write(Errand.self)
    } _: { cluster, server in
      let (a, b) = (try ErrandDevice("a", server), try ErrandDevice("b", server))
      let id = try a.errands.put(Errand(owner: "ada"))
      try await b.wait(for: ["ada"])
      for device in [a, b] {
        let store = device.store
        await withTaskGroup { group in
          for _ in 0..<30 {
            group.addTask {
              try? await store.write { transaction in
                guard let errand = try transaction.get(Errand.self, id) else { return }
                errand.likes += 2
                try transaction.put(errand)
              }
            }
          }
        }
      }
      for device in [a, b] { try await device.wait { try device.errands.get(id)?.likes == 120 } }
      #expect(try await cluster.box(for: Errand.self).get(id)?.likes == 120)
      #expect(try a.client.rejections().isEmpty && b.client.rejections().isEmpty)
    }
  }
}
