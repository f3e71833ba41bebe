import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

#if OBJECTBOX_INTERNAL_CHECKS
  /// The form of the files that all other tests use.
  struct TestMediumTests {
    @Test func `stores of tests are encrypted when the variable asks for it`() throws {
      let test = try TemporaryStore()
      #expect((test.store.transactions.mirror != nil) == TestFiles.areEncrypted)
      try test.reopen()
      #expect((test.store.transactions.mirror != nil) == TestFiles.areEncrypted)
    }

    @Test func `stores in memory and stores of several processes stay plain`() throws {
      let folder = try TemporaryDirectory()
      for (directory, isShared) in [("memory:plain", false), (folder.path + "/store", true)] {
        var configuration = Store.Configuration(directory: directory)
        configuration.isSharedWithOtherProcesses = isShared
        let store = try Store(model: try TemporaryStore.model(), configuration: configuration)
        #expect(store.transactions.mirror == nil)
        store.close()
      }
    }
  }
#endif
