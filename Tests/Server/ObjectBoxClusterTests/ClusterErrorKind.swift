import ObjectBox
import Testing

/// Returns the case name of the `ObjectBoxError` that a body throws; nil without an error.
func kindThrown(_ body: () async throws -> Void) async -> String? {
  do {
    try await body()
    return nil
  } catch {
    return Mirror(reflecting: error).children.first?.label ?? "\(error)"
  }
}

/// Expects an error with a case of `ObjectBoxError`; nil for no error.
func expect(
  _ kind: String?,
  at location: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async {
  let thrown = await kindThrown(body)
  #expect(thrown == kind, sourceLocation: location)
}
