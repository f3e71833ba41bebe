import Foundation
import ObjectBox

/// A part of the library that reads untrusted bytes, as a function of the bytes.
///
/// It works or throws an error of a known type; anything else ends the process. The page reader's
/// targets are in C, beside this folder.
package struct FuzzTarget: Sendable {
  package let name: String
  /// The seeds, by name.
  package let makeSeeds: @Sendable () throws -> [String: [UInt8]]
  private let body: @Sendable (FuzzInput, Scratch) throws -> Void

  init(
    _ name: String,
    seeds: @escaping @Sendable () throws -> [String: [UInt8]],
    body: @escaping @Sendable (FuzzInput, Scratch) throws -> Void
  ) {
    self.name = name
    makeSeeds = seeds
    self.body = body
  }

  package static let all: [FuzzTarget] =
    [
      .record, .schema, .vectors, .model, .annotations, .templates, .dump, .condition, .search,
      .words,
    ] + encryption

  /// Runs the target on one input.
  ///
  /// - Parameter bytes: The input.
  /// - Throws: An error that the library should not have thrown.
  package func run(_ bytes: [UInt8]) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try body(FuzzInput(bytes), scratch)
  }

  /// Runs a part of a target, which ends at an error about the input.
  ///
  /// - Returns: False when the part threw an error.
  @discardableResult
  static func attempt(_ body: () throws -> Void) throws -> Bool {
    do {
      try body()
      return true
    } catch let error as ObjectBoxError {
      precondition(!error.message.isEmpty, "an error has no text")
      return false
    }
  }
}

/// Reads numbers and parts from the start of an input; 0 and nothing after its end.
struct FuzzInput {
  let all: [UInt8]
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    all = bytes
    rest = bytes[...]
  }

  var isAtEnd: Bool { rest.isEmpty }
  var text: String { String(decoding: all, as: UTF8.self) }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// Reads bytes that follow their count, which takes 2 bytes.
  mutating func part() -> [UInt8] {
    let count = Int(byte()) + Int(byte()) << 8
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Encodes what `byte` and `part` decode.
  static func part(_ bytes: [UInt8], behind first: UInt8) -> [UInt8] {
    [first, UInt8(truncatingIfNeeded: bytes.count), UInt8(truncatingIfNeeded: bytes.count >> 8)]
      + bytes
  }
}

/// The folder of one run.
struct Scratch {
  let path: String

  init() throws {
    let memory = "/dev/shm"
    let base =
      FileManager.default.isWritableFile(atPath: memory)
      ? memory : FileManager.default.temporaryDirectory.path
    path = "\(base)/objectbox-fuzz-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    return path + "/" + name
  }
}
