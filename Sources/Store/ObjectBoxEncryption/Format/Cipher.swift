#if OBJECTBOX_SODIUM
  internal import CObjectBoxSodium

  /// XChaCha20-Poly1305 and BLAKE2b of libsodium, in the forms that sealed files use.
  enum Cipher {
    static let tagSize = 16

    /// The nonce of a sealed text: a random seed, and a number that is used once with it.
    struct Nonce {
      var seed: Bytes16
      var number: UInt64
    }

    /// Encrypts a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - sealed: As many bytes for the result; may be the text's.
    ///   - nonce: Never used for another text under the key.
    ///   - data: Bytes that must be the same when the text is opened.
    ///   - key: A key of 32 bytes.
    /// - Returns: The tag, which opening needs.
    static func seal(
      _ text: UnsafeRawBufferPointer,
      to sealed: UnsafeMutableRawPointer,
      nonce: Nonce,
      data: UnsafeRawBufferPointer,
      key: UnsafeRawPointer
    ) -> Bytes16 {
      var (nonce, tag) = (nonce, Bytes16())
      withUnsafeBytes(of: &nonce) { nonce in
        withUnsafeMutableBytes(of: &tag) { tag in
          _ = crypto_aead_xchacha20poly1305_ietf_encrypt_detached(
            sealed.assumingMemoryBound(to: UInt8.self),
            tag.octets,
            nil,
            text.octets,
            UInt64(text.count),
            data.octets,
            UInt64(data.count),
            nil,
            nonce.octets,
            key.assumingMemoryBound(to: UInt8.self)
          )
        }
      }
      return tag
    }

    /// Decrypts a text; false when the text, the nonce, the data or the key does not match the tag.
    static func open(
      _ sealed: UnsafeRawBufferPointer,
      tag: Bytes16,
      to text: UnsafeMutableRawPointer,
      nonce: Nonce,
      data: UnsafeRawBufferPointer,
      key: UnsafeRawPointer
    ) -> Bool {
      var (nonce, tag) = (nonce, tag)
      return withUnsafeBytes(of: &nonce) { nonce in
        withUnsafeBytes(of: &tag) { tag in
          crypto_aead_xchacha20poly1305_ietf_decrypt_detached(
            text.assumingMemoryBound(to: UInt8.self),
            nil,
            sealed.octets,
            UInt64(sealed.count),
            tag.octets,
            data.octets,
            UInt64(data.count),
            nonce.octets,
            key.assumingMemoryBound(to: UInt8.self)
          ) == 0
        }
      }
    }

    /// Returns the BLAKE2b hash of bytes; with a key, only holders of the key can compute it.
    static func hash(
      _ bytes: some Collection<UInt8>,
      size: Int,
      key: UnsafeRawBufferPointer? = nil
    ) -> [UInt8] {
      let bytes = Array(bytes)
      var hash = [UInt8](repeating: 0, count: size)
      crypto_generichash(
        &hash,
        size,
        bytes,
        UInt64(bytes.count),
        key?.octets,
        key?.count ?? 0
      )
      return hash
    }

    /// Compares in a time that does not depend on the bytes.
    static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
      a.count == b.count && sodium_memcmp(a, b, a.count) == 0
    }

    /// Zeroes secret bytes; the compiler does not optimize this away.
    static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
      if let address = bytes.baseAddress { sodium_memzero(address, bytes.count) }
    }

    /// The system's random bytes.
    static let systemRandom: RandomSource = { buffer in
      if let address = buffer.baseAddress { randombytes_buf(address, buffer.count) }
    }
  }

  /// The address of a buffer that is not empty, as libsodium takes it.
  extension UnsafeRawBufferPointer {
    var octets: UnsafePointer<UInt8> { bindMemory(to: UInt8.self).baseAddress.unsafelyUnwrapped }
  }

  extension UnsafeMutableRawBufferPointer {
    var octets: UnsafeMutablePointer<UInt8> {
      bindMemory(to: UInt8.self).baseAddress.unsafelyUnwrapped
    }
  }
#endif
