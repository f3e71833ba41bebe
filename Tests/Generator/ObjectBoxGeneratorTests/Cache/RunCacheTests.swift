import Foundation
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxGenerator

struct RunCacheTests {
  private var project: CachedProject

  init() throws {
    project = try CachedProject()
  }

  @Test func `a run that finds all as it was tells the same, warnings included, without parsing`()
    throws
  {
    try project.settle()
    let repeated = try project.run()
    let computed = try project.compute()
    #expect(repeated.isRepeated && !computed.isRepeated)
    #expect(repeated.messages == computed.messages)
    #expect(repeated.diagnostics == computed.diagnostics)
    #expect(repeated.diagnostics.map(\.message.severity) == [.warning])
  }

  @Test func `the run after one that changed the model computes again`() throws {
    #expect(try !project.run().isRepeated)
    #expect(try !project.run().isRepeated)
    #expect(try project.run().isRepeated)
  }

  @Test func `code that was removed or changed is written again, and then known`() throws {
    try project.settle()
    try project.remove("out/Code.swift")
    #expect(try project.run().messages.contains { $0.hasSuffix("Code.swift' was written") })
    let repeated = try project.run()
    #expect(repeated.isRepeated)
    #expect(repeated.messages.contains { $0.hasSuffix("Code.swift' is unchanged") })
  }

  enum Change: CaseIterable {
    case byte, comment, added, removed, renamed, moved, model, noModel, code, noCode
    case visibility, prefix, locked, removal, prune, exclusion, command
  }

  @Test(arguments: Change.allCases)
  func `a change of anything that a run depends on makes it compute again`(_ change: Change) throws
  {
    var project = project
    try project.settle()
    #expect(try project.run().isRepeated)
    switch change {
    case .byte: try project.replace("Int", with: "Int8", in: "src/Mood.swift")
    case .comment: try project.replace("{}", with: "{ }", in: "src/Plain.swift")
    case .added: try project.folder.write("", to: "src/Empty.swift")
    case .removed: try project.remove("src/Plain.swift")
    case .renamed:
      try project.folder.write(try project.folder.read("src/Plain.swift"), to: "src/Other.swift")
      try project.remove("src/Plain.swift")
    case .moved:
      let text = try project.folder.read("src/Plain.swift")
      try project.folder.write(try project.folder.read("src/Mood.swift"), to: "src/Plain.swift")
      try project.folder.write(text, to: "src/Mood.swift")
    case .model: try project.replace("\"version\": 1", with: "\"version\":  1", in: "model.json")
    case .noModel: try project.remove("model.json")
    case .code: try project.replace("Note", with: "Note ", in: "out/Code.swift")
    case .noCode: try project.remove("out/Code.swift")
    case .visibility: project.options.visibility = "public"
    case .prefix: project.options.annotationPrefix = "box"
    case .locked: project.options.isLocked = true
    case .removal: project.options.allowsRemovingAll = true
    case .prune: project.options.prunesEmptyOutput = true
    case .exclusion: project.options.excludedSources = [project.folder.path + "/src/Plain.swift"]
    case .command: project.options.updateCommand = "other"
    }
    #expect(try !project.run().isRepeated)
  }

  private func cache(_ sources: [SourceFile], _ tool: String) -> RunCache {
    var cache = RunCache(project.options, tool: tool)
    cache.note(sources)
    return cache
  }

  @Test func `another build of the tool does not take over an answer`() throws {
    let files = ["Mood", "Note", "Plain"].map { "/src/\($0).swift" }
    let sources = try files.map {
      SourceFile(path: project.folder.path + $0, text: try project.folder.read($0))
    }
    try project.settle()
    #expect(cache(sources, ToolIdentity.current).answer() != nil)
    #expect(cache(sources, "other").answer() == nil)
    #expect(cache(sources.reversed(), ToolIdentity.current).answer() == nil)
  }

  @Test func `a cut or changed file of the cache is no answer, whatever the place`() throws {
    try project.settle()
    let bytes = try Data(contentsOf: project.cacheFile)
    let cache = cache([], "tool")
    let answer = RunCache.Answer(
      diagnostics: [Diagnostic(DiagnosticMessage(.warning, "text"), at: nil)],
      messages: ["a", "b\n\"é"],
      files: [
        project.options.modelPath: try project.folder.read("model.json"),
        project.folder.path + "/none": nil,
      ]
    )
    cache.keep(answer)
    let kept = try Data(contentsOf: project.cacheFile)
    #expect(cache.answer()?.messages == answer.messages)
    #expect(cache.answer()?.diagnostics == answer.diagnostics)
    for count in kept.indices {
      try kept.prefix(count).write(to: project.cacheFile)
      #expect(cache.answer() == nil, "cut to \(count) bytes")
      var changed = kept
      changed[count] ^= 1
      try changed.write(to: project.cacheFile)
      #expect(cache.answer() == nil, "byte \(count) changed")
    }
    try kept.write(to: project.cacheFile)
    #expect(cache.answer() != nil)
    try project.folder.write("", to: "none")
    #expect(cache.answer() == nil)
    // The file of another run.
    try bytes.write(to: project.cacheFile)
    #expect(cache.answer() == nil)
  }

  @Test(arguments: ["", "{}", String(repeating: "0", count: 500), "\u{0}\n\u{FFFD}"])
  func `a foreign file in the place of the cache is replaced`(text: String) throws {
    try project.settle()
    try Data(text.utf8).write(to: project.cacheFile)
    #expect(try !project.run().isRepeated)
    #expect(try project.run().isRepeated)
  }

  @Test func `a cache that cannot be written or read changes no result`() throws {
    try FileManager.default.createDirectory(
      at: project.cacheFile,
      withIntermediateDirectories: true
    )
    for _ in 0..<3 {
      let outcome = try project.run()
      #expect(!outcome.isRepeated && !outcome.hasErrors)
    }
    #expect(try project.run().messages == project.compute().messages)
  }

  @Test func `runs with errors, with a schema dump or without a cache leave nothing behind`() throws
  {
    var project = project
    project.options.usesCache = false
    try project.settle()
    project.options.usesCache = true
    project.options.debugPath = project.folder.path + "/dump.txt"
    try project.settle()
    project.options.debugPath = nil
    try project.replace("id: Id", with: "id: String", in: "src/Note.swift")
    #expect(try project.run().hasErrors)
    #expect(try project.run().hasErrors)
    #expect(!FileManager.default.fileExists(atPath: project.cacheFile.path))
  }

  @Test func `sources without entities are known as well, and pruning leaves no file`() throws {
    var project = project
    try project.folder.write("", to: "src/Note.swift")
    let first = try project.run()
    let repeated = try project.run()
    #expect(!first.isRepeated && repeated.isRepeated)
    #expect(try repeated.messages == project.compute().messages)
    project.options.prunesEmptyOutput = true
    for _ in 0..<2 { #expect(try !project.run().isRepeated) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: project.folder.path + "/out") == [])
  }

  @Test func `generated code among the sources does not keep runs from being known`() throws {
    var project = project
    project.options.outputPath = project.folder.path + "/src/Code.swift"
    try project.settle()
    #expect(try project.run().isRepeated)
    #expect(try project.run().messages.contains("1 entity in 3 files"))
  }

  @Test(arguments: 0..<TestLength.choose(short: 6, long: 40))
  func `after any history a repeated run tells what a computed one tells`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    for _ in 0..<6 {
      let name = random.pick(["src/Note.swift", "src/Mood.swift", "src/Plain.swift", "model.json"])
      let edit = random.pick([
        ("mood: ", "feeling: "), ("feeling: ", "mood: "), ("Int", "Int8"), ("Int8", "Int"),
        ("struct Plain {}", "struct Plain: Entity { var id: Id }"), (": Entity", ""),
        ("// objectbox: index", ""), ("class Note", "class  Note"), ("\n", "\n\n"),
        ("entity", "entity, uid"), (", uid", ""), ("\"type\": 6", "\"type\": 5"),
      ])
      if (try? project.folder.read(name)) != nil {
        try project.replace(edit.0, with: edit.1, in: name)
      }
      try project.settle()
      let code = try? project.folder.read("out/Code.swift")
      let repeated = try project.run()
      let computed = try project.compute()
      // The message about a bare uid has a new number each time.
      #expect(repeated.hasErrors == computed.hasErrors)
      if computed.hasErrors { continue }
      #expect(repeated.isRepeated)
      #expect(repeated.messages == computed.messages)
      #expect(repeated.diagnostics == computed.diagnostics)
      #expect(try project.folder.read("out/Code.swift") == code)
    }
  }
}
