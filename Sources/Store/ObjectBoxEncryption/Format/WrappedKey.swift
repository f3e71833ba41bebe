#if OBJECTBOX_SODIUM
  internal import CObjectBoxSodium

  /// The plain begin of a head: how the data key is wrapped, and the wrapped key.
  ///
  /// A new key of the program changes only the wrapping; no page is sealed again.
  struct WrappedKey {
    /// The size of the begin in bytes.
    static let size = 120
    static let magic = Array("OBXSEAL1".utf8)
    /// The format; other formats are refused.
    ///
    /// Format 1 was never released.
    static let format: UInt32 = 2
    static let suite: UInt32 = 1
    /// The bytes that are authenticated with the wrapped key.
    private static let authenticated = 48
    private static let kindOfKey: UInt32 = 0
    /// A passphrase in the normal form C of Unicode.
    private static let kindOfPassphrase: UInt32 = 2

    /// The bytes as they are in the head.
    let bytes: [UInt8]

    enum Refusal: Error {
      case wrongKey
      /// The text names what the head needs.
      case otherKind(String)
      case damaged
      case noMemory
    }

    /// Wraps the data key for a key of the program.
    ///
    /// - Throws: ``Refusal/noMemory``.
    init(_ keys: StoreKeys, for encryption: StoreEncryption, random: RandomSource) throws(Refusal) {
      var bytes = Self.magic
      bytes.append(number: Self.format)
      bytes.append(number: Self.suite)
      switch encryption.kind {
      case .key:
        bytes.append(number: Self.kindOfKey)
        bytes.append(number: UInt32(0))
        bytes.append(number: UInt64(0))
      case .passphrase(let cost):
        bytes.append(number: Self.kindOfPassphrase)
        bytes.append(number: UInt32(cost.passes))
        bytes.append(number: UInt64(cost.memoryInBytes))
      }
      bytes.append(Bytes16.random(random))
      let nonce = Cipher.Nonce(seed: .random(random), number: Bytes16.random(random).first)
      let wrapping = try Self.wrapping(bytes, encryption)
      var sealed = [UInt8](repeating: 0, count: StoreKeys.size)
      let tag = sealed.withUnsafeMutableBytes { sealed in
        bytes.withUnsafeBytes { bytes in
          Cipher.seal(
            keys.data,
            to: sealed.baseAddress.unsafelyUnwrapped,
            nonce: nonce,
            data: bytes,
            key: UnsafeRawPointer(wrapping.bytes.baseAddress.unsafelyUnwrapped)
          )
        }
      }
      bytes.append(nonce.seed)
      bytes.append(number: nonce.number)
      bytes += sealed
      bytes.append(tag)
      self.bytes = bytes
    }

    /// Wraps another data key for the same key of the program, at the same cost.
    ///
    /// - Throws: ``Refusal/noMemory``.
    func wrapping(
      _ keys: StoreKeys,
      for encryption: StoreEncryption,
      random: RandomSource
    ) throws(Refusal) -> WrappedKey {
      guard case .passphrase = encryption.kind else {
        return try WrappedKey(keys, for: encryption, random: random)
      }
      let cost = PassphraseCost(passes: Int(passes), memoryInBytes: Int(memory))
      let same = StoreEncryption(
        kind: .passphrase(cost),
        secret: encryption.secret
      )
      return try WrappedKey(keys, for: same, random: random)
    }

    /// Reads the begin of a head; nil when it has another form.
    init?(_ head: ArraySlice<UInt8>) {
      guard head.count >= Self.size, head.starts(with: Self.magic) else { return nil }
      bytes = Array(head.prefix(Self.size))
    }

    /// The number of the format, which another version of the library may have written.
    var format: UInt32 { bytes.number(at: 8) }
    var suite: UInt32 { bytes.number(at: 12) }
    /// The kind of the key; nil for an unknown one.
    var form: StoreEncryption.Form? {
      switch bytes.number(UInt32.self, at: 16) {
      case Self.kindOfKey: .key
      case Self.kindOfPassphrase: .passphrase
      default: nil
      }
    }
    private var passes: UInt32 { bytes.number(at: 20) }
    private var memory: UInt64 { bytes.number(at: 24) }

    /// Unwraps the data key.
    func unwrapped(by encryption: StoreEncryption) throws(Refusal) -> StoreKeys {
      switch (bytes.number(UInt32.self, at: 16), encryption.kind) {
      case (Self.kindOfKey, .key), (Self.kindOfPassphrase, .passphrase): break
      case (Self.kindOfKey, .passphrase):
        throw .otherKind("it needs a key of 32 bytes, no passphrase")
      case (Self.kindOfPassphrase, .key):
        throw .otherKind("it needs a passphrase, no key of 32 bytes")
      default: throw .damaged
      }
      let wrapping = try Self.wrapping(Array(bytes.prefix(Self.authenticated)), encryption)
      let nonce = Cipher.Nonce(seed: bytes.bytes16(at: 48), number: bytes.number(at: 64))
      let keys = StoreKeys { data in
        bytes.withUnsafeBytes { bytes in
          Cipher.open(
            UnsafeRawBufferPointer(rebasing: bytes[72..<104]),
            tag: self.bytes.bytes16(at: 104),
            to: data.baseAddress.unsafelyUnwrapped,
            nonce: nonce,
            data: UnsafeRawBufferPointer(rebasing: bytes[..<Self.authenticated]),
            key: UnsafeRawPointer(wrapping.bytes.baseAddress.unsafelyUnwrapped)
          )
        }
      }
      guard let keys else { throw .wrongKey }
      return keys
    }

    /// Returns the wrapping key: the program's key, or the key that its passphrase gives with the costs and the
    /// salt in the bytes.
    private static func wrapping(
      _ bytes: [UInt8],
      _ encryption: StoreEncryption
    ) throws(Refusal) -> Secret {
      if encryption.kind == .key { return encryption.secret }
      let (passes, memory) = (bytes.number(UInt32.self, at: 20), bytes.number(UInt64.self, at: 24))
      // The head is not authentic yet, so its costs are bounded.
      guard PassphraseCost.passesRange.contains(Int(passes)),
        PassphraseCost.memoryRange.contains(Int(clamping: memory))
      else { throw .damaged }
      let key = Secret(count: StoreKeys.size)
      guard key.isLocked else { throw .noMemory }
      let salt = Array(bytes[32..<48])
      let code = crypto_pwhash(
        key.bytes.octets,
        UInt64(StoreKeys.size),
        UnsafePointer(
          encryption.secret.bytes.bindMemory(to: CChar.self).baseAddress.unsafelyUnwrapped
        ),
        UInt64(encryption.secret.count),
        salt,
        UInt64(passes),
        Int(memory),
        crypto_pwhash_ALG_ARGON2ID13
      )
      guard code == 0 else { throw .noMemory }
      return key
    }
  }
#endif
