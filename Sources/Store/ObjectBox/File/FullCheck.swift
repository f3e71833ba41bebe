internal import CObjectBoxHooks
package import ObjectBoxStorage

/// A check of the whole content of an open file; `ObjectBoxCare` does it, if the program links it.
///
/// A class, because a reference is passed through a C function.
package final class FullCheck {
  /// The file to check.
  package let environment: StorageEnvironment
  /// The first fault in words; nil for a sound file; or the error that ended the check.
  package var result: Result<String?, any Error> = .success(nil)

  private init(_ environment: StorageEnvironment) { self.environment = environment }

  /// Returns the first fault of a file in words; nil if the file is sound.
  ///
  /// - Parameters:
  ///   - environment: The open file.
  ///   - directory: The path of the store, for errors.
  /// - Returns: The fault; nil for a sound file.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` when the program does not link
  ///   `ObjectBoxCare`, and `StorageError` when the file cannot be read.
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
    // The C function does not keep the reference.
    withExtendedLifetime(run) { check(Unmanaged.passUnretained(run).toOpaque()) }
    return try run.result.get()
  }
}
