import ObjectBox
import ObjectBoxEncryption
import ObjectBoxTestSupport
import Testing

#if !OBJECTBOX_SODIUM
  struct MissingLibraryTests {
    @Test func `without the library, encrypted stores say what to install`() throws {
      let folder = try TemporaryDirectory()
      #expect {
        _ = try EncryptedStore.open(folder.path + "/store", .key(testKey))
      } throws: {
        "\($0)".contains("libsodium-dev")
      }
    }
  }
#endif
