import Foundation
import Testing

/// The compiler keeps confined values in their isolation.
///
/// The sources are in `Tests/Fixtures/NegativeCompile`; the first lines of each state the expected
/// result: `// compiles`, or an `// error: …` for each kind of error.
struct LiveCompilationTests {
  @Test(
    .enabled(if: FixtureCompiler.isUsable, "the modules of the build are not beside the tests"),
    arguments: FixtureCompiler.fixtures
  )
  func `what belongs to an isolation does not compile elsewhere, and the rest does`(
    _ name: String
  ) async throws {
    let lines = try FixtureCompiler.source(of: name).split(separator: "\n")
    let expected = lines.prefix { $0.hasPrefix("// error: ") }.map { $0.dropFirst(10) }
    #expect(lines.first == "// compiles" || !expected.isEmpty, "'\(name)' states no result")
    let errors = try await FixtureCompiler.errors.value[name] ?? []
    for words in expected {
      #expect(errors.contains { $0.contains(words) }, "'\(name)' lacks the error: \(words)")
    }
    let others = errors.filter { error in !expected.contains { error.contains($0) } }
    #expect(others == [], "'\(name)' has errors that it does not state")
  }
}
