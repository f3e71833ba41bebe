import ObjectBoxSyncProtocol
import ObjectBoxSyncServer

// Readings for users whose rules have no links.

extension DeltaReading {
  func read(_ deltaRequest: DeltaRequest, granted: [Scope]) async throws -> Answer {
    var grants = Grants(granted)
    return try await read(deltaRequest, granted: &grants)
  }
}

extension ResetReading {
  func read(_ digests: Digests, granted: [Scope]) async throws -> DeltaReading.Answer {
    var grants = Grants(granted)
    return try await read(digests, granted: &grants)
  }
}
