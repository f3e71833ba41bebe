import Foundation
import ObjectBoxTestSupport
import Testing

/// The output formats of findings, and the fixes that the tool applies.
struct DiagnosticsTests {
  private let tool: Tool

  init() throws {
    tool = try Tool()
  }

  private func generate(_ more: String...) throws -> Tool.Result {
    let basic = ["--sources", "src", "--model-json", "model.json", "--output", "out/Code.swift"]
    return try tool.run(basic + more)
  }

  private static let faulty = """
    // objectbox: entity
    class Note {
    \tvar id: Id = 0
    \t// objectbox: indx
    \tvar title: String = ""
    }

    """
  private static let text = """
    src/A.swift:4:16: error: unknown annotation 'indx' on 'Note.title'; did you mean 'index'?
    src/A.swift:4:16: note: fix: replace 'indx' by 'index'

    """
  private static let snippet = """
    src/A.swift:4:16: error: unknown annotation 'indx' on 'Note.title'; did you mean 'index'?
    \t// objectbox: indx
    \t              ^~~~
    src/A.swift:4:16: note: fix: replace 'indx' by 'index'

    """

  // MARK: Forms

  @Test func `findings are lines, or snippets, as asked for`() throws {
    try tool.folder.write(Self.faulty, to: "src/A.swift")
    for arguments in [[], ["--diagnostics", "text"], ["--diagnostics=text", "--quiet"]] {
      let result = try tool.run(["--sources", "src"] + arguments)
      #expect(result.status == 3)
      #expect(result.errors == Self.text)
      #expect(result.output == "")
    }
    let result = try generate("--diagnostics=snippets")
    #expect(result.status == 3)
    #expect(result.errors == Self.snippet)
  }

  @Test func `an unknown form is told with those that there are`() throws {
    let result = try generate("--diagnostics", "xml")
    #expect(result.status == 1)
    #expect(result.errors.contains("'xml' is none of text, json and snippets"))
  }

  private struct Finding: Decodable {
    struct Fix: Decodable {
      struct Edit: Decodable {
        var path: String
        var line, column, endColumn: Int
        var replacement: String
      }
      var message: String
      var isSafe: Bool
      var edits: [Edit]
    }
    var path: String?
    var line, column, endColumn: Int?
    var severity, message: String
    var notes: [Finding]
    var fixIts: [Fix]
  }

  private func findings(_ output: String) throws -> [Finding] {
    try output.split(separator: "\n").map {
      try JSONDecoder().decode(Finding.self, from: Data($0.utf8))
    }
  }

  @Test func `with JSON nothing else is on standard output`() throws {
    try tool.folder.write(Self.faulty, to: "src/A.swift")
    let result = try generate("--diagnostics", "json", "--verbose")
    #expect(result.status == 3)
    #expect(result.errors == "")
    let finding = try #require(try findings(result.output).first)
    #expect(finding.path == "src/A.swift")
    #expect([finding.line, finding.column, finding.endColumn] == [4, 16, 20])
    #expect(finding.severity == "error")
    #expect(finding.notes.isEmpty)
    let fix = try #require(finding.fixIts.first)
    #expect(fix.isSafe && fix.edits.first?.replacement == "index")
    #expect(fix.edits.first.map { [$0.line, $0.column, $0.endColumn] } == [4, 16, 20])

    let fixed = try generate("--diagnostics", "json", "--fix")
    #expect(fixed.status == 0)
    #expect(try findings(fixed.output).map(\.severity) == ["note"])
    #expect(fixed.errors.contains("note: model file 'model.json' was created"))
    #expect(try generate("--diagnostics", "json", "--quiet").output == "")
  }

  @Test func `with JSON faults of paths and of the model are findings as well`() throws {
    let missing = try tool.run("--sources", "nowhere", "--diagnostics", "json")
    #expect(missing.status == 1)
    #expect(missing.errors == "")
    let fault = try #require(try findings(missing.output).first)
    #expect(fault.path == nil && fault.message.contains("'nowhere'"))
    #expect(try tool.run("--diagnostics", "json").status == 2)

    try tool.folder.write("class A: Entity { var id: Id = 0 }", to: "src/A.swift")
    try tool.folder.write("{\"a\": 1, \"a\": 2}", to: "model.json")
    let model = try generate("--diagnostics", "json")
    #expect(model.status == 3)
    let finding = try #require(try findings(model.output).first)
    #expect(finding.path == "model.json")
    #expect([finding.column, finding.endColumn, finding.notes.first?.column] == [10, 13, 2])
  }

  /// Opens a terminal; bytes written to its second end can be read from its first.
  private func openTerminal() throws -> (Int32, FileHandle) {
    #if canImport(Darwin)
      let terminal = posix_openpt(O_RDWR | O_NOCTTY)
      try #require(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0)
      let name = String(cString: try #require(ptsname(terminal)))
    #else
      let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var (isLocked, number) = (Int32(0), Int32(0))
      // TIOCSPTLCK and TIOCGPTN, which Swift does not import.
      try #require(terminal >= 0 && ioctl(terminal, 0x4004_5431, &isLocked) == 0)
      try #require(ioctl(terminal, 0x8004_5430, &number) == 0)
      let name = "/dev/pts/\(number)"
    #endif
    let end = open(name, O_RDWR | O_NOCTTY)
    try #require(end >= 0)
    return (terminal, FileHandle(fileDescriptor: end, closeOnDealloc: true))
  }

  /// Runs the tool with a terminal as standard error, and returns the terminal's text.
  private func shown(environment: [String: String]) throws -> String {
    let (terminal, end) = try openTerminal()
    let process = Process()
    process.executableURL = try Tool.executable
    process.arguments = ["--sources", "src"]
    process.currentDirectoryURL = tool.folder.url
    process.environment = ProcessInfo.processInfo.environment
      .filter { !["NO_COLOR", "TERM"].contains($0.key) }
      .merging(environment) { $1 }
    process.standardError = end
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    // The terminal buffers the few lines of a finding.
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(terminal, &bytes, bytes.count)
    close(terminal)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
      .replacingOccurrences(of: "\r\n", with: "\n")
  }

  @Test func `a terminal gets snippets, in colours unless they are not wanted`() throws {
    try tool.folder.write(Self.faulty, to: "src/A.swift")
    let colored = try shown(environment: ["TERM": "xterm"])
    #expect(colored.contains("\u{1B}[1;31merror: \u{1B}[0m"))
    #expect(colored.contains("\n\t// objectbox: indx\n\t              \u{1B}[1;32m^~~~\u{1B}[0m\n"))
    #expect(try shown(environment: ["TERM": "xterm", "NO_COLOR": "1"]) == Self.snippet)
    #expect(try shown(environment: ["TERM": "dumb"]) == Self.snippet)
  }

  // MARK: Fixes

  @Test func `the safe fixes are made in all files, told, and the run goes on with their result`()
    throws
  {
    try tool.folder.write(Self.faulty, to: "src/A.swift")
    let other =
      "// objectbox: entitty\r\nstruct Größe { var id: Id\r\n/* objectbox: externalType = mongoID */ var x: Int }\r\n"
    try tool.folder.write(other, to: "src/B.swift")
    let result = try generate("--fix")
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.errors == """
        src/A.swift:4:16: note: fixed: replace 'indx' by 'index'
        src/B.swift:1:15: note: fixed: replace 'entitty' by 'entity'
        src/B.swift:3:30: note: fixed: replace 'mongoID' by 'mongoId'

        """
    )
    #expect(
      try tool.folder.read("src/A.swift")
        == Self.faulty.replacingOccurrences(of: "indx", with: "index")
    )
    #expect(
      try tool.folder.read("src/B.swift")
        == other.replacingOccurrences(of: "entitty", with: "entity")
        .replacingOccurrences(of: "mongoID", with: "mongoId")
    )
    #expect(try tool.folder.read("model.json").contains("\"Größe\""))
    let again = try generate("--fix")
    #expect(again.status == 0)
    #expect(again.errors == "")
    #expect(again.output.contains("is unchanged"))
  }

  @Test func `a fixed file keeps its access`() throws {
    let path = try tool.folder.write(Self.faulty, to: "src/A.swift")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    #expect(try generate("--fix").status == 0)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }

  @Test func `findings without a safe fix stay, and nothing is generated`() throws {
    let source = """
      enum Kind: Int { case a, b }
      class Note: Entity {
        var id: Id = 0
        // objectbox: convert
        var kind: Kind = .a
        // objectbox: indx
        var title: String = ""
      }

      """
    try tool.folder.write(source, to: "src/A.swift")
    let result = try generate("--fix")
    #expect(result.status == 3)
    #expect(result.errors.contains("note: fixed: replace 'indx'"))
    #expect(result.errors.contains("note: fix: read unknown stored values as '.a'"))
    #expect(try tool.folder.read("src/A.swift").contains("objectbox: convert\n"))
    #expect(!tool.exists("model.json"))
    #expect(!tool.exists("out"))
  }

  @Test func `while a file cannot be parsed, none is changed`() throws {
    try tool.folder.write("class A: Entity { var id: Id = 0\n", to: "src/A.swift")
    try tool.folder.write("// objectbox: entitty\nclass B { var id: Id = 0 }\n", to: "src/B.swift")
    let result = try generate("--fix")
    #expect(result.status == 3)
    #expect(try tool.folder.read("src/B.swift").contains("entitty"))
    #expect(!result.errors.contains("fixed:"))
  }

  @Test func `a bare uid becomes the current one, and no UID is added to the model`() throws {
    try tool.folder.write("class Note: Entity { var id: Id = 0 }\n", to: "src/A.swift")
    #expect(try generate("-d", "dump.txt").status == 0)
    let model = try tool.folder.read("model.json")
    try tool.folder.write(
      "// objectbox: uid\nclass Note: Entity { var id: Id = 0 }\n",
      to: "src/A.swift"
    )
    let result = try generate("--fix")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("src/A.swift:1:15: note: fixed: write 'uid = 15616'"))
    #expect(try tool.folder.read("src/A.swift").hasPrefix("// objectbox: uid = 15616\nclass"))
    #expect(try tool.folder.read("model.json") == model)
  }

  @Test func `fixes of the same characters are told and not made`() throws {
    let source = "class Note: Entity { var id: Id = 0\nvar a, b: Int\ninit() { a = 0; b = 0 } }\n"
    try tool.folder.write(source, to: "src/A.swift")
    #expect(try generate().status == 0)
    let asking = source.replacingOccurrences(of: "var a", with: "/* objectbox: uid */ var a")
    try tool.folder.write(asking, to: "src/A.swift")
    let result = try generate("--fix")
    #expect(result.status == 3)
    #expect(result.errors.contains("src/A.swift:2:15: warning: the fix 'write 'uid = "))
    #expect(try tool.folder.read("src/A.swift") == asking)
  }

  @Test func `--fix writes a misspelt prefix right, and the annotation then counts`() throws {
    try tool.folder.write(
      "// Objectbox: entity\nclass Note {\n  var id: Id = 0\n  // objectbox unique\n  var x = 0\n}\n",
      to: "src/A.swift"
    )
    let result = try generate("--fix")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("src/A.swift:1:4: note: fixed: replace 'Objectbox:' by"))
    #expect(
      try tool.folder.read("src/A.swift")
        == "// objectbox: entity\nclass Note {\n  var id: Id = 0\n  // objectbox: unique\n  var x = 0\n}\n"
    )
    #expect(try tool.folder.read("model.json").contains("\"flags\": 40"))
  }

  @Test(arguments: ["--locked", "--entities-of=App"])
  func `a run that leaves the model as it is makes no fixes`(_ word: String) throws {
    try tool.folder.write(Self.faulty, to: "src/A.swift")
    let result = try generate("--fix", word)
    #expect(result.status == 1)
    let option = word.prefix { $0 != "=" }
    #expect(
      result.errors.contains("a \(option) run changes no sources; leave out \(option) or --fix")
    )
    #expect(try tool.folder.read("src/A.swift") == Self.faulty)
  }

  // MARK: No entities

  @Test func `a run without entities tells what it read, and what was nearly one`() throws {
    try tool.folder.write("// Objectbox: entity\nclass A { var id: Id = 0 }\n", to: "src/A.swift")
    try tool.folder.write("// objectbox: entity\n\nclass B {}\n", to: "src/B.swift")
    try tool.folder.write("class C { // objectbox: entity\n}\n", to: "src/C.swift")
    try tool.folder.write("enum D: Entity {}\n", to: "src/D.swift")
    let result = try generate()
    #expect(result.status == 0)
    #expect(
      result.output.contains(
        "0 entities in 4 files of 'src'; annotate a class or struct"
      )
    )
    for expected in [
      "src/A.swift:1:4: warning: 'Objectbox:' is not the prefix of annotations",
      "src/A.swift:1:4: note: fix: replace 'Objectbox:' by 'objectbox:'",
      "src/B.swift:1:15: warning: the annotation 'entity' has no effect here",
      "src/C.swift:1:25: warning: the annotation 'entity' has no effect here",
      "src/D.swift:1:6: note: 'D' is an enum",
    ] {
      #expect(result.errors.contains(expected), "\(result.errors)")
    }
    #expect(try generate("--quiet").errors == "")
    // Builds print no notes about valid sources.
    #expect(!(try generate("--locked").errors.contains("src/D.swift")))
    #expect(try generate("--fix").status == 0)
    #expect(try tool.folder.read("src/A.swift").hasPrefix("// objectbox: entity\n"))
    #expect(try tool.folder.read("model.json").contains("\"name\": \"A\""))
  }

  @Test func `what was nearly an entity is told where a model is left without any`() throws {
    try tool.folder.write("class A: Entity { var id: Id = 0 }\n", to: "src/A.swift")
    #expect(try generate().status == 0)
    try tool.folder.write("// entity\nclass A { var id: Id = 0 }\n", to: "src/A.swift")
    let result = try generate()
    #expect(result.status == 3)
    #expect(result.errors.contains("src/A.swift:1:4: note: 'entity' is no annotation"))
    #expect(result.errors.contains("error: none of the entities of this model"))
  }
}
