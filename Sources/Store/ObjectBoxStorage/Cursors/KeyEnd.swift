internal import CObjectBoxPages

/// The end of a range of keys.
package enum KeyEnd {
  /// Keys up to and including the bytes.
  case upTo(UnsafeRawBufferPointer)
  /// Keys that begin with the bytes.
  case withPrefix(UnsafeRawBufferPointer)

  /// The page reader's form of the end, valid as long as the bytes.
  var bound: obx_pages_bound {
    switch self {
    case .upTo(let key):
      obx_pages_bound(bytes: key.baseAddress, size: key.count, kind: OBX_PAGES_KEYS_UP_TO)
    case .withPrefix(let prefix):
      obx_pages_bound(
        bytes: prefix.baseAddress,
        size: prefix.count,
        kind: OBX_PAGES_KEYS_WITH_PREFIX
      )
    }
  }

  /// Returns whether a key is in the range, if it is not below.
  package func contains(_ key: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .upTo(let last): !last.lexicographicallyPrecedes(key)
    case .withPrefix(let prefix): key.starts(with: prefix)
    }
  }
}
