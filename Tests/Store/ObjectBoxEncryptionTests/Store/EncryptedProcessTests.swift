import ObjectBox
import ObjectBoxEncryption
import ObjectBoxProcessTestSupport
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

#if os(Linux) && OBJECTBOX_SODIUM
  struct EncryptedProcessTests {
    @Test(arguments: ["encrypted", "encrypted-compact"])
    func `a killed process loses no commit`(job: String) throws {
      let folder = try TemporaryDirectory()
      let path = folder.path + "/store"
      var count = 0
      for round in 1...5 {
        let child = try ChildProcess(path, job, 15)
        for _ in 0..<(20 * round) {
          count = Int(try #require(child.line().flatMap { Int($0) }))
        }
        #expect {
          _ = try Row.store(path) { $0.encryption = .key(testKey) }
        } throws: {
          if case ObjectBoxError.illegalState = $0 { true } else { false }
        }
        child.kill()
        // The process may have told of further commits before it was killed.
        while let line = child.line() { count = Int(line) ?? count }
        let store = try Row.store(path) { $0.encryption = .key(testKey) }
        let numbers = try store.box(for: Row.self).all().map(\.number)
        #expect(numbers.count >= count)
        #expect(numbers == Array(0..<Int64(numbers.count)))
        store.close()
      }
    }
  }
#endif
