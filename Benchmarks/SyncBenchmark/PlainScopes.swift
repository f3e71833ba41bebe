import ObjectBoxSyncProtocol
import ObjectBoxSyncServer

// Readings for users whose rules have no links.

extension CutReading {
  func read(_ want: Want, granted: [Scope]) async throws -> Answer {
    var grants = Grants(granted)
    return try await read(want, granted: &grants)
  }
}

extension ResetReading {
  func read(_ digests: Digests, granted: [Scope]) async throws -> CutReading.Answer {
    var grants = Grants(granted)
    return try await read(digests, granted: &grants)
  }
}
