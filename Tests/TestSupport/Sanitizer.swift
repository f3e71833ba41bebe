import Foundation

/// The sanitizer that the program is built with.
package enum Sanitizer {
  /// True under the address sanitizer or the thread sanitizer, whose memory and addresses are those of the process:
  /// tests that limit either cannot run.
  package static let isPresent = ["__asan_init", "__tsan_init"].contains { (name: String) in
    dlsym(nil, name) != nil
  }
}
