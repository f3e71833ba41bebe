import Foundation
import ObjectBox
import ObjectBoxEncryption

/// Encrypts the stores of all tests if OBJECTBOX_TEST_ENCRYPTION is 1.
///
/// A constructor in C calls it before `main`.
@_cdecl("objectbox_choose_test_medium")
func chooseTestMedium() {
  guard let value = getenv("OBJECTBOX_TEST_ENCRYPTION"), String(cString: value) == "1" else {
    return
  }
  #if OBJECTBOX_INTERNAL_CHECKS
    TestMedium.make = {
      var key = StoreEncryption.key((0..<StoreEncryption.keySize).map { UInt8($0) })
      // A small log: stores are made in less time, and more commits write a head.
      key.newLogBlocks = 64
      // Tests compare messages of plain stores.
      key.showsValuesInErrors = true
      var configuration = Store.Configuration()
      configuration.encryption = key
      return configuration.medium
    }
  #else
    fatalError("OBJECTBOX_TEST_ENCRYPTION needs a build with -Xswiftc -DOBJECTBOX_INTERNAL_CHECKS")
  #endif
}
