#if OBJECTBOX_SODIUM
  internal import CObjectBoxSodium

  /// The keys of an open store: the data key, and the keys that are derived from it.
  final class StoreKeys: Sendable {
    static let size = 32
    private static let context = "objbox01"
    /// The keys one after the other: pages, records, head, data.
    private let secret: Secret

    /// Makes keys of a data key; nil when there is none, or its memory cannot be locked.
    ///
    /// - Parameter fill: Writes the data key; false when there is none.
    init?(_ fill: (UnsafeMutableRawBufferPointer) -> Bool) {
      secret = Secret(count: 4 * Self.size)
      guard secret.isLocked else { return nil }
      let data = UnsafeMutableRawBufferPointer(rebasing: secret.bytes[(3 * Self.size)...])
      guard fill(data) else { return nil }
      for number in 0..<3 {
        let place = UnsafeMutableRawBufferPointer(rebasing: secret.bytes[(number * Self.size)...])
        crypto_kdf_derive_from_key(
          place.octets,
          Self.size,
          UInt64(number + 1),
          Self.context,
          UnsafePointer(data.octets)
        )
      }
    }

    /// Makes keys of a random data key; nil when their memory cannot be locked.
    convenience init?(random: RandomSource) {
      self.init { data in
        random(data)
        return true
      }
    }

    /// Zeroes the keys before the end of this object; no other call may follow.
    func erase() { sodium_memzero(secret.bytes.baseAddress.unsafelyUnwrapped, secret.count) }

    private func key(_ number: Int) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(
        rebasing: secret.bytes[(number * Self.size)..<((number + 1) * Self.size)]
      )
    }

    /// The key of pages.
    var pages: UnsafeRawPointer { key(0).baseAddress.unsafelyUnwrapped }
    /// The key of records.
    var records: UnsafeRawBufferPointer { key(1) }
    /// The key of the head.
    var head: UnsafeRawPointer { key(2).baseAddress.unsafelyUnwrapped }
    /// The data key, which is wrapped for the head.
    var data: UnsafeRawBufferPointer { key(3) }
  }
#endif
