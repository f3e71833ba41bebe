import Foundation

/// The sanitizer of this build.
package enum Sanitizer {
  /// True under the address or thread sanitizer.
  ///
  /// Both use memory and addresses of the process, so tests that limit either cannot run.
  package static let isPresent = ["__asan_init", "__tsan_init"].contains { (name: String) in
    dlsym(nil, name) != nil
  }
}
