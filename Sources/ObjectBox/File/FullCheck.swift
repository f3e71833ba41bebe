internal import CObjectBoxHooks
package import ObjectBoxStorage

/// A check of all that an open file holds, which `ObjectBoxCare` makes where a program has it.
///
/// A class, so that a function of C can be passed it.
package final class FullCheck {
  /// The file to check.
  package let environment: StorageEnvironment
  /// The first fault in words, nil for a sound file, or the error that ended the check.
  package var result: Result<String?, any Error> = .success(nil)

  private init(_ environment: StorageEnvironment) { self.environment = environment }

  /// Returns the first fault of a file in words; nil when it is sound.
  ///
  /// - Parameters:
  ///   - environment: The file, which is open.
  ///   - directory: The path of the store, for errors.
  /// - Returns: The fault; nil for a sound file.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when the program does not have `ObjectBoxCare`, and
  ///   `StorageError` when the file cannot be read.
  /// - Complexity: As for ``ValidateOnOpenMode/full``.
  static func firstFault(
    in environment: StorageEnvironment,
    _ directory: String
  ) throws -> String? {
    guard let check = obx_full_check() else {
      throw ObjectBoxError.illegalState(
        message:
          "cannot check the store at '\(directory)' with validateOnOpen .full: the program lacks the module "
          + "'ObjectBoxCare', which has this check; add its product to the target's dependencies, or choose "
          + ".allbranches"
      )
    }
    let run = FullCheck(environment)
    // The function keeps no reference.
    withExtendedLifetime(run) { check(Unmanaged.passUnretained(run).toOpaque()) }
    return try run.result.get()
  }
}
