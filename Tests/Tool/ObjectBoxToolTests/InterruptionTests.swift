import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Operations that a signal ends, and readers that were killed.
struct InterruptionTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func start(_ name: String, _ arguments: [String]) throws -> (Process, Pipe, Pipe) {
    let process = Process()
    process.executableURL = try BuiltProgram.url(name)
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    return (process, input, output)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `an interrupted load leaves no new store`(signal: Int32) throws {
    try folder.makeNotes("notes")
    let store = try folder.store("notes", ModelText.notes)
    defer { store.close() }
    let lines = try MemoryOutput.dump(store).split(
      separator: UInt8(ascii: "\n"),
      omittingEmptySubsequences: false
    )
    let (process, input, _) = try start("objectbox", ["load", "copy"])
    // The store is made once the header is read; then the load waits for more lines.
    try input.fileHandleForWriting.write(contentsOf: Data(lines[0] + [UInt8(ascii: "\n")]))
    while !FileManager.default.fileExists(atPath: folder.path + "/copy/data.mdb") { sched_yield() }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 130)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/copy"))
  }

  @Test func `stats tells the reader of a process, and that it is stale once that was killed`()
    throws
  {
    // Makes the store, keeps a read transaction, and reports it.
    let (process, _, output) = try start("ProcessTestTool", [folder.path + "/rows", "read"])
    _ = output.fileHandleForReading.availableData
    // The reader slots disappear with the last process that has the store open.
    let (other, _, otherOutput) = try start("ProcessTestTool", [folder.path + "/rows", "read"])
    _ = otherOutput.fileHandleForReading.availableData
    defer { kill(other.processIdentifier, SIGKILL) }
    let tool = try BuiltProgram("objectbox")
    let line = try readerLine(tool, process.processIdentifier)
    #expect(line.hasSuffix("ProcessTestTool"), "\(line)")
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(
      try readerLine(tool, process.processIdentifier).hasSuffix("stale: there is no such process")
    )
  }

  private func readerLine(_ tool: BuiltProgram, _ process: Int32) throws -> String {
    let output = try tool.run("stats", folder.path + "/rows").output
    return String(
      try #require(output.split(separator: "\n").first { $0.contains(" \(process) ") }, "\(output)")
    )
  }
}
