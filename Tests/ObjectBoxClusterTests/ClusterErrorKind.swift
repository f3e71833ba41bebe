import ObjectBox

/// Returns the name of the case of the `ObjectBoxError` that a body throws; nil for none.
func kindThrown(_ body: () async throws -> Void) async -> String? {
  do {
    try await body()
    return nil
  } catch {
    return Mirror(reflecting: error).children.first?.label ?? "\(error)"
  }
}
