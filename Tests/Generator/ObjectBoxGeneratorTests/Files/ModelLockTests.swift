import Foundation
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxGenerator

struct ModelLockTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  @Test func `a run that cannot get the lock in time says what to do`() throws {
    let model = folder.path + "/model.json"
    do {
      let lock = try ModelLock(of: model, patience: .seconds(60))
      defer { withExtendedLifetime(lock) {} }
      let error = #expect(throws: FileFault.self) {
        try ModelLock(of: model, patience: .zero)
      }
      #expect(error?.description.contains("cannot write '\(model)': another run") == true)
      #expect(error?.description.contains("wait for its end, or end it, and run again") == true)
    }
    _ = try ModelLock(of: model, patience: .zero)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func `a link to a model is locked where the model is`() throws {
    try folder.write("{}", to: "real/model.json")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/model.json",
      withDestinationPath: "real/model.json"
    )
    let lock = try ModelLock(of: folder.path + "/model.json", patience: .zero)
    #expect(throws: FileFault.self) {
      try ModelLock(of: folder.path + "/real/model.json", patience: .zero)
    }
    withExtendedLifetime(lock) {}
  }

  @Test func `a folder that is made under the lock is locked as well`() throws {
    let model = folder.path + "/a/b/model.json"
    let lock = try ModelLock(of: model, patience: .zero)
    try lock.makeFolder()
    #expect(throws: FileFault.self) { try ModelLock(of: model, patience: .zero) }
    withExtendedLifetime(lock) {}
  }

  @Test func `a folder that another run makes after the lock is locked as well`() throws {
    let model = folder.path + "/a/b/model.json"
    // The first run has made "a" and not yet "b" when the second one begins.
    let first = try ModelLock(of: model, patience: .zero)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/a",
      withIntermediateDirectories: false
    )
    let second = try ModelLock(of: model, patience: .zero)
    try first.makeFolder()
    #expect(throws: FileFault.self) { try second.makeFolder() }
    withExtendedLifetime((first, second)) {}
  }
}
