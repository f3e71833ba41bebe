import Foundation
import ObjectBox
import ObjectBoxSync
import ObjectBoxTestSupport

/// A device beside the attackers: how long its writes wait is what others feel.
struct HonestDevice {
  struct Result: Sendable {
    var writes = 0
    var greatestWait = 0.0
    var rejections = 0
  }

  /// Writes until a time has passed, one transaction after the decision of the one before.
  static func run(port: Int, until end: Date) async throws -> Result {
    let folder = try TemporaryDirectory()
    let store = try Store(directoryPath: folder.path + "/store")
    let configuration = Sync.Configuration(store: store, url: "ws://127.0.0.1:\(port)")
    configuration.credentials = [.makeUsernamePassword("h", "")]
    let client = try Sync.makeClient(configuration: configuration)
    try client.start()
    var result = Result()
    let wards = store.box(for: Ward.self)
    while Date() < end {
      let ward = Ward()
      ward.owner = "h"
      ward.code = "honest \(result.writes) \(UUID())"
      let begin = ContinuousClock.now
      try wards.put(ward)
      for await count in client.decisions where count == 0 { break }
      let wait = (ContinuousClock.now - begin) / .seconds(1)
      // The first one waits for the connection and the first fill.
      if result.writes > 0 { result.greatestWait = max(result.greatestWait, wait) }
      result.writes += 1
      try await Task.sleep(for: .milliseconds(20))
    }
    result.rejections = try client.rejections().count
    client.close()
    return result
  }
}
