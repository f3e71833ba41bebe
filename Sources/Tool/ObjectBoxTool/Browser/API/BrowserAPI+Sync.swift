internal import ObjectBoxJSON

extension BrowserAPI {
  /// The transactions that wait for the server, and rejected ones.
  func sync() throws -> Members {
    guard let status = try content.synchronization() else {
      throw Fault(404, "the store was never synchronized")
    }
    return status.members(.page)
  }

  /// The numbers of waiting and rejected transactions; null for other content.
  func syncMember() throws -> Members {
    let counts = try content.synchronizationCounts()
    return [
      (
        "sync",
        { writer in
          if let counts { writer.object(counts.members) } else { writer.raw("null") }
        }
      )
    ]
  }
}
