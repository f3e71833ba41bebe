#if OBJECTBOX_SODIUM
  internal import CObjectBoxSodium
#endif

/// Bytes of keys, in memory that is locked, guarded, kept out of core dumps and zeroed at the end.
///
/// Invariant of `@unchecked Sendable`: the bytes are written before another thread gets the object.
final class Secret: @unchecked Sendable {
  let count: Int
  /// False when the system refused to lock the memory; the bytes are then missing.
  let isLocked: Bool
  /// The bytes; empty when they are not locked.
  let bytes: UnsafeMutableRawBufferPointer

  /// Allocates bytes with the value 0.
  init(count: Int) {
    self.count = count
    #if OBJECTBOX_SODIUM
      // At the system's limit of locked memory, libsodium allocates unlocked memory without an error.
      guard sodium_init() >= 0, let address = sodium_malloc(max(1, count)) else {
        isLocked = false
        bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        return
      }
      isLocked = sodium_mlock(address, max(1, count)) == 0
      bytes = UnsafeMutableRawBufferPointer(start: address, count: count)
      sodium_memzero(address, count)
    #else
      isLocked = false
      bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    #endif
  }

  convenience init(copying source: [UInt8]) {
    self.init(count: source.count)
    if isLocked { bytes.copyBytes(from: source) }
  }

  deinit {
    #if OBJECTBOX_SODIUM
      sodium_free(bytes.baseAddress)
    #endif
  }
}

extension Secret: Hashable {
  static func == (a: Secret, b: Secret) -> Bool {
    guard a.count == b.count, a.isLocked, b.isLocked else { return a === b }
    #if OBJECTBOX_SODIUM
      guard let own = a.bytes.baseAddress, let other = b.bytes.baseAddress else { return true }
      return sodium_memcmp(own, other, a.count) == 0
    #else
      return false
    #endif
  }

  func hash(into hasher: inout Hasher) { hasher.combine(count) }
}
