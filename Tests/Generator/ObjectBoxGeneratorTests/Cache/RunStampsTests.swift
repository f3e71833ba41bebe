import Foundation
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxGenerator

/// Answers of the cache by file stamps, without reading the sources.
struct RunStampsTests {
  private let project: CachedProject
  private let later: FileStamp.Time

  init() throws {
    project = try CachedProject()
    try project.settle()
    var time = FileStamp.Time.now
    time.seconds += 3
    later = time
  }

  private func files() throws -> [SourceWalk.File] {
    try SourceFinder.find(project.options.sources, excluding: [])
  }

  private func cache(
    at time: FileStamp.Time,
    _ options: GeneratorOptions? = nil,
    tool: String = "tool",
    files: [SourceWalk.File]? = nil
  ) throws -> RunCache {
    var cache = RunCache(options ?? project.options, tool: tool)
    cache.note(try files ?? self.files(), at: time)
    return cache
  }

  /// Stores an answer about the current project, as a run three seconds later would.
  private func keep(at time: FileStamp.Time) throws {
    var cache = try cache(at: time)
    cache.note(try SourceFinder.read(files()).sources)
    cache.keep(
      RunCache.Answer(
        diagnostics: [],
        messages: ["kept"],
        files: [project.options.modelPath: try project.folder.read("model.json")]
      )
    )
  }

  @Test func `the same stamps give the answer, and files that have just changed give none`() throws
  {
    try keep(at: later)
    #expect(try cache(at: later).answerWithoutReading()?.messages == ["kept"])
    #expect(try cache(at: .now).answerWithoutReading() == nil)
    try keep(at: .now)
    #expect(try cache(at: later).answerWithoutReading() == nil)
  }

  @Test func `an answer by the bytes tells the stamps to later runs`() throws {
    try keep(at: .now)
    var cache = try cache(at: later)
    #expect(cache.answerWithoutReading() == nil)
    cache.note(try SourceFinder.read(files()).sources)
    #expect(cache.answer()?.messages == ["kept"])
    #expect(cache.answerWithoutReading()?.messages == ["kept"])
  }

  @Test func `another tool, other options and a changed model give no answer`() throws {
    try keep(at: later)
    var options = project.options
    options.visibility = "public"
    #expect(try cache(at: later, options).answerWithoutReading() == nil)
    #expect(try cache(at: later, tool: "other").answerWithoutReading() == nil)
    try project.replace("\"version\": 1", with: "\"version\":  1", in: "model.json")
    #expect(try cache(at: later).answerWithoutReading() == nil)
  }

  @Test func `a file that is added, removed or renamed gives no answer`() throws {
    try keep(at: later)
    let files = try files()
    for changed in [Array(files.dropLast()), files + files.suffix(1)] {
      #expect(try cache(at: later, files: changed).answerWithoutReading() == nil)
    }
    let old = project.folder.path + "/src/Plain.swift"
    try FileManager.default.moveItem(atPath: old, toPath: project.folder.path + "/src/Plain2.swift")
    #expect(try cache(at: later).answerWithoutReading() == nil)
  }

  @Test func `a byte that changes in place gives no answer, though size and time are set back`()
    throws
  {
    let path = project.folder.path + "/src/Plain.swift"
    var state = stat()
    #expect(stat(path, &state) == 0)
    #if canImport(Darwin)
      let times = [state.st_atimespec, state.st_mtimespec]
    #else
      let times = [state.st_atim, state.st_mtim]
    #endif
    try keep(at: later)
    let stamps = try files().map(\.stamp)
    // The file system's clock may not have ticked since.
    repeat {
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      try file.write(contentsOf: Data("struct Plaim".utf8))
      try file.close()
      #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
    } while try files().map(\.stamp) == stamps
    #expect(try cache(at: later).answerWithoutReading() == nil)
  }

  @Test func `stamps of a link are those of the file behind it`() throws {
    let link = project.folder.path + "/src/Plain.swift"
    let target = project.folder.path + "/Elsewhere.swift"
    try FileManager.default.moveItem(atPath: link, toPath: target)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    let before = try files().first { $0.path == link }?.stamp
    #expect(before != nil)
    try project.folder.write("struct Another {}", to: "Elsewhere.swift")
    #expect(try files().first { $0.path == link }?.stamp != before)
  }
}
