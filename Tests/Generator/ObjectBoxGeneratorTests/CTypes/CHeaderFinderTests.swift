import Foundation
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxGenerator

/// The headers of a module, recognised by the types that they declare.
@Suite(.enabled(if: CTypeReader.isAvailable, "libclang is not installed"))
struct CHeaderFinderTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try folder.write("typedef int one_t;", to: "one.h")
    try folder.write("typedef int two_t;", to: "more/two.h")
    try folder.write("typedef int no_header_t;", to: "notes.txt")
  }

  private func found() throws -> [String] {
    var headers = CHeaders()
    headers.modules = [try #require(CHeaders.Module("CTest=\(folder.path)/"))]
    let names: Set<String> = ["one_t", "two_t", "umbrella_t", "no_header_t"]
    let types = try CTypeReader.read(names, in: headers)
    #expect(types.diagnostics == [])
    for name in names { #expect(types[name] == nil || types[name]?.module == "CTest") }
    return names.sorted().filter { types[$0] != nil }
  }

  @Test func `all headers below a folder without map and umbrella`() throws {
    #expect(try found() == ["one_t", "two_t"])
  }

  @Test(arguments: ["CTest.h", "CTest/CTest.h"])
  func `the umbrella header that is named for the module`(name: String) throws {
    try folder.write("typedef int umbrella_t;", to: name)
    #expect(try found() == ["umbrella_t"])
  }

  @Test(arguments: [
    ("module CTest { header \"one.h\" export * }", ["one_t"]),
    ("framework module CTest [system] { umbrella header \"more/two.h\" }", ["two_t"]),
    ("module CTest { umbrella \"more\" module * { export * } }", ["two_t"]),
    ("module CTest { umbrella \".\" }", ["one_t", "two_t", "umbrella_t"]),
    (
      "module CTest { // header \"one.h\"\n /* header \"one.h\" */ header \"more/two.h\"\n"
        + "exclude header \"one.h\" textual header \"one.h\" link \"x\" }", ["two_t"]
    ),
    (
      "module CTest { //\u{301} header \"one.h\"\r\n header \"more/two.h\" /*\u{301} header \"one.h\" */ }",
      ["two_t"]
    ),
    ("module CTest { header \"\u{301}.h\" header \"more/two.h\" }", ["two_t"]),
    ("module CTest { header \"gone.h\" }", []),
    ("module CTest { header \"", []),
  ])
  func `a module map says which`(map: String, expected: [String]) throws {
    try folder.write("typedef int umbrella_t;", to: "CTest.h")
    try folder.write(map, to: "module.modulemap")
    #expect(try found() == expected)
  }

  @Test func `what is named and missing is an error`() throws {
    var headers = CHeaders()
    headers.files = [folder.path + "/gone.h"]
    #expect(throws: FileFault.self) { try CTypeReader.read([], in: headers) }
    headers = CHeaders()
    headers.includeFolders = [folder.path + "/gone"]
    #expect(throws: FileFault.self) { try CTypeReader.read([], in: headers) }
    headers = CHeaders()
    headers.modules = [.init(name: "CTest", folder: folder.path + "/one.h")]
    #expect(throws: FileFault.self) { try CTypeReader.read([], in: headers) }
  }

  @Test(arguments: ["", "=", "CTest", "CTest=", "=folder"])
  func `a module needs a name and a folder`(text: String) {
    #expect(CHeaders.Module(text) == nil)
  }
}
