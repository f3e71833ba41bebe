import ObjectBoxTestSupport
import Testing

/// Stores with full-text indexes in a program that does not link `ObjectBoxSearch`.
struct MissingEngineTests {
  @Test func `a store with a full-text index is not opened, and its file is not made`() throws {
    let program = try BuiltProgram("EnginelessTool")
    let result = try program.run("store")
    let expected = """
      cannot open store at 'store': 'Row' has a full-text index, and the program lacks the module \
      'ObjectBoxSearch', which has the engine; add `import ObjectBoxSearch`, and the product to the \
      target's dependencies

      """
    #expect(result.output == expected, "\(result.errors)")
    #expect(!program.exists("store/data.mdb"))
  }
}
