import Foundation
package import Testing

/// The form of the files of the tests' stores.
package enum TestFiles {
  /// True if OBJECTBOX_TEST_ENCRYPTION is 1, as in `Scripts/encrypted-test.sh`: stores of tests are
  /// encrypted then, unless they are in memory or shared with other processes.
  package static let areEncrypted =
    ProcessInfo.processInfo.environment["OBJECTBOX_TEST_ENCRYPTION"] == "1"
}

extension Trait where Self == ConditionTrait {
  /// Leaves tests out that need plain files when the stores of tests are encrypted.
  ///
  /// - Parameter reason: The use of plain files, such as "reads the tables of a closed store".
  /// - Returns: The trait of a test or a suite.
  package static func onPlainFiles(_ reason: String) -> Self {
    .disabled(if: TestFiles.areEncrypted, "needs plain files: \(reason)")
  }
}
