#if OBJECTBOX_SODIUM
  import Foundation
  import ObjectBox
  import ObjectBoxDynamic
  import ObjectBoxEncryption
  import ObjectBoxTestSupport
  import Testing

  @testable import ObjectBoxFuzzTargets

  /// The seals that the targets `head` and `log` put around their inputs.
  struct SealedFixtureTests {
    private func names(_ head: [UInt8], _ pages: [UInt8]) throws -> [String?] {
      let fixture = try SealedFixture.shared.get()
      let folder = try TemporaryDirectory()
      for (name, bytes) in [("sealed.head", head), (fixture.pagesName, pages)] {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path + "/" + name))
      }
      var configuration = Store.Configuration(directory: folder.path)
      configuration.encryption = .key(fixture.programKey)
      let store = try Store(existing: configuration)
      defer { store.close() }
      let box = try store.box(named: "Person")
      return try box.all().map { $0["name"].map { "\($0)" } }
    }

    @Test func `the library opens heads and records that the fuzzer sealed`() throws {
      let fixture = try SealedFixture.shared.get()
      let names = try names(fixture.head, fixture.pages)
      #expect(names.count == 4)
      let newest = fixture.head(body: fixture.newestBody)
      #expect(try self.names(newest, fixture.pages(log: [])) == names)
      var (log, chain): ([UInt8], [UInt8]) = ([], fixture.chain)
      for record in fixture.records {
        let next = fixture.sealed(record, after: chain)
        log += next.blocks
        chain = next.chain
      }
      let version = try #require(fixture.records.last?.version)
      log += fixture.mark(version, chain: chain)
      let head = fixture.head(body: fixture.body)
      #expect(try self.names(head, fixture.pages(log: log)) == names)
      #expect(try self.names(fixture.head(begin: fixture.head), fixture.pages) == names)
    }
  }
#endif
