import ObjectBox
import Testing

/// Returns the name of the case of the `ObjectBoxError` that a body throws; nil for none.
func kindThrown(_ body: () async throws -> Void) async -> String? {
  do {
    try await body()
    return nil
  } catch {
    return Mirror(reflecting: error).children.first?.label ?? "\(error)"
  }
}

/// Expects an error of a case of `ObjectBoxError`; nil for none.
func expect(
  _ kind: String?,
  at location: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async {
  let thrown = await kindThrown(body)
  #expect(thrown == kind, sourceLocation: location)
}
