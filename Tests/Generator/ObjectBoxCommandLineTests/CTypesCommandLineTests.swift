import Foundation
import ObjectBoxTestSupport
import Testing

/// C headers on the command line.
struct CTypesCommandLineTests {
  private let tool: Tool

  init() throws {
    tool = try Tool()
    try tool.folder.write(
      """
      import CNotes
      import ObjectBox

      struct Note: Entity {
        var id: Id
        var level: level_t
        var state: note_state
      }
      """,
      to: "src/Note.swift"
    )
    try tool.folder.write(
      "#include <levels.h>\ntypedef enum { NOTE_NEW } note_state;\n",
      to: "c/notes.h"
    )
    try tool.folder.write("typedef unsigned short level_t;\n", to: "c/more/levels.h")
  }

  private func generate(_ more: String...) throws -> Tool.Result {
    let basic = ["--sources", "src", "--model-json", "model.json", "--output", "out/Code.swift"]
    return try tool.run(basic + more)
  }

  #if OBJECTBOX_LIBCLANG
    @Test(arguments: [
      ["--c-header", "c/notes.h", "--c-include-dir", "c/more"],
      ["--c-header", "c/notes.h", "--c-header=c/more/levels.h", "--c-include-dir=c/more/"],
      ["--c-module", "CNotes=c", "--c-include-dir", "c/more"],
      ["--c-module=CNotes=c/", "--c-module", "CLevels=c/more"],
    ])
    func `typedefs and enums of headers are types of properties`(_ options: [String]) throws {
      let basic = ["--sources", "src", "--model-json", "model.json", "--output", "out/Code.swift"]
      let result = try tool.run(basic + options)
      #expect(result.status == 0)
      #expect(result.errors == "")
      let check = ["model", "check", "--sources", "src", "--model-json", "model.json"]
      #expect(try tool.run(check + options).status == 0)
      let code = try tool.folder.read("out/Code.swift")
      #expect(code.contains("import CNotes"))
      #expect(code.contains("name: \"level\", type: .short, flags: .unsigned"))
      #expect(code.contains("state: note_state(rawValue: entityReader.read(at: 8))"))
      #expect(!code.contains("func objectBoxValue"))
      #expect(try tool.folder.read("model.json").contains("\"flags\": 8192"))
    }

    @Test func `a header that lacks an included one is told by its place and the option`() throws {
      let result = try generate("--c-header", "c/notes.h")
      #expect(result.status == 3)
      #expect(result.errors.contains("c/notes.h:1:10: warning: this C header has an error"))
      #expect(result.errors.contains("'levels.h' file not found; name folders"))
      #expect(result.errors.contains("--c-include-dir"))
      #expect(result.errors.contains("src/Note.swift:6:7: error: property 'level'"))
      #expect(!result.errors.contains("'state'"))
      #expect(!tool.exists("model.json"))
    }
  #else
    @Test func `without libclang the finding says what to install`() throws {
      let result = try generate("--c-header", "c/notes.h", "--c-include-dir", "c/more")
      #expect(result.status == 3)
      #expect(result.errors.contains("apt-get install libclang-dev"))
    }
  #endif

  @Test func `without headers the finding names the option or what to install`() throws {
    let result = try generate()
    #if OBJECTBOX_LIBCLANG
      // Only a warning: the type may be a typealias of a Swift module.
      #expect(result.status == 0)
      #expect(result.errors.contains("src/Note.swift:7:7: warning: the type 'note_state'"))
      #expect(result.errors.contains("name its header with --c-header"))
    #else
      #expect(result.status == 3)
      #expect(result.errors.contains("src/Note.swift:7:7: error: property 'state'"))
      #expect(result.errors.contains("install libclang"))
    #endif
  }

  @Test func `missing headers and folders, and malformed modules, are told`() throws {
    for (option, value, words) in [
      ("--c-header", "gone.h", "cannot read 'gone.h': there is no such C header"),
      ("--c-header", "c", "cannot read 'c': there is no such C header"),
      ("--c-include-dir", "gone", "cannot read 'gone': there is no such folder"),
      ("--c-module", "CNotes=gone", "cannot read 'gone': there is no such folder"),
      ("--c-module", "CNotes", "the C module 'CNotes' does not look like NAME=DIR"),
    ] {
      let result = try generate(option, value)
      #expect(result.status == 1, "\(option)")
      #expect(result.errors.contains(words), "\(result.errors)")
    }
  }
}
