internal import Foundation
internal import ObjectBoxCommandLine
internal import ObjectBoxEncryption

/// The options of a command line that name the key of a store: files, never the key itself, since
/// other users see command lines.
struct StoreKey {
  /// The key of a store that exists.
  static let own = StoreKey(prefix: "--", of: "an encrypted store")
  /// The key of a store that the verb makes, or the next key of a store.
  static let target = StoreKey(prefix: "--to-", of: "the store that is written")

  /// A flag to write objects of an encrypted store to one that is not.
  static let plainOption = CommandOption(
    "--plain",
    "lets the store that is written not be encrypted, though STORE or FROM is"
  )

  private static let maximumFileSize = 1 << 16

  let key: CommandOption
  let passphrase: CommandOption

  private init(prefix: String, of store: String) {
    key = CommandOption(
      "\(prefix)key-file FILE",
      "the key of \(store): 32 bytes, or 64 hexadecimal digits"
    )
    passphrase = CommandOption(
      "\(prefix)passphrase-file FILE",
      "the passphrase of \(store); a line feed at the end does not count"
    )
  }

  var options: [CommandOption] { [key, passphrase] }

  /// Returns whether a command line names a key.
  func isGiven(_ arguments: CommandArguments) -> Bool {
    options.contains { arguments.has($0.key) }
  }

  /// Reads the key that a command line names; nil without one.
  ///
  /// - Throws: ``UsageFault`` for two keys; ``Failure`` for a file that is no key; ``SystemFault``
  ///   when a file cannot be read.
  func read(_ arguments: CommandArguments) throws -> StoreEncryption? {
    switch (arguments.value(key.key), arguments.value(passphrase.key)) {
    case (nil, nil): return nil
    case (let file?, nil):
      return try Self.withBytes(of: file) { bytes in
        guard let encryption = Self.key(bytes) else {
          throw Failure(
            "'\(file)' is no key: it has \(bytes.count) bytes; a key has 32 bytes, or 64 hexadecimal digits, such as "
              + "those of 'openssl rand -hex 32'"
          )
        }
        return encryption
      }
    case (nil, let file?):
      return try Self.withBytes(of: file) { bytes in
        guard let encryption = Self.passphrase(bytes) else {
          throw Failure("'\(file)' is empty; write the passphrase into it")
        }
        return encryption
      }
    case (_?, _?):
      throw UsageFault(text: "a store has one key; use '\(key.key)' or '\(passphrase.key)'")
    }
  }

  // MARK: The key of a store

  /// Returns the key of an existing store from the command line, or else from the terminal; nil for a store
  /// that is not encrypted.
  ///
  /// - Throws: ``Failure`` for a key of a store without encryption, and for a missing key without a
  ///   terminal.
  static func of(
    _ location: StoreLocation,
    _ arguments: CommandArguments
  ) throws -> StoreEncryption? {
    guard location.isEncrypted else {
      if own.isGiven(arguments) {
        throw Failure(
          "the store in '\(location.directory)' is not encrypted; leave out '\(own.key.key)' and "
            + "'\(own.passphrase.key)', or encrypt it with 'objectbox copy'"
        )
      }
      return nil
    }
    if let key = try own.read(arguments) { return key }
    let form = try StoreEncryption.form(ofStoreAt: location.directory)
    guard let prompt = SecretPrompt() else {
      throw Failure(
        "the store in '\(location.directory)' is encrypted, and there is no terminal to ask for its key; use "
          + "'\(own.key.key)' or '\(own.passphrase.key)'"
      )
    }
    let encryption =
      switch form {
      case .passphrase: try prompt.read("passphrase of '\(location.directory)': ", passphrase)
      case .key:
        try prompt.read("key of '\(location.directory)', 64 hexadecimal digits: ", digits)
      }
    guard let encryption else {
      throw Failure(form == .key ? "that is no key of 64 hexadecimal digits" : "nothing was typed")
    }
    return encryption
  }

  /// Throws ``UsageFault`` for a key of a database.
  static func refuseForDatabase(_ arguments: CommandArguments) throws {
    if own.isGiven(arguments) {
      throw UsageFault(
        text: "'\(own.key.key)' and '\(own.passphrase.key)' are for stores, not for databases"
      )
    }
  }

  /// Returns the key of a store that a verb writes.
  ///
  /// - Parameters:
  ///   - arguments: The command line.
  ///   - isSourceEncrypted: True when objects of an encrypted store are written.
  /// - Returns: The key; nil for a store that is not encrypted.
  /// - Throws: ``UsageFault`` when encryption would end without being asked to.
  static func ofTarget(
    _ arguments: CommandArguments,
    isSourceEncrypted: Bool
  ) throws -> StoreEncryption? {
    let isPlain = arguments.has(plainOption.key)
    if isPlain, target.isGiven(arguments) {
      throw UsageFault(text: "'\(plainOption.key)' leaves out the key of the store that is written")
    }
    if let key = try target.read(arguments) { return key }
    guard isSourceEncrypted, !isPlain else { return nil }
    throw UsageFault(
      text:
        "the store is encrypted, and what is written would not be; use '\(target.key.key)' or "
        + "'\(target.passphrase.key)', or allow it with '\(plainOption.key)'"
    )
  }

  /// Returns the next key of a store from the command line, or else a passphrase that is typed twice in the
  /// terminal.
  static func next(_ arguments: CommandArguments) throws -> StoreEncryption {
    if let key = try target.read(arguments) { return key }
    guard let prompt = SecretPrompt() else {
      throw UsageFault(
        text:
          "there is no terminal to ask for the new key; use '\(target.key.key)' or '\(target.passphrase.key)'"
      )
    }
    guard let first = try prompt.read("new passphrase: ", passphrase) else {
      throw Failure("nothing was typed; the key stays")
    }
    guard try prompt.read("the same again: ", passphrase) == first else {
      throw Failure("the passphrases differ; the key stays")
    }
    return first
  }

  // MARK: Bytes

  private static func key(_ bytes: [UInt8]) -> StoreEncryption? {
    bytes.count == StoreEncryption.keySize ? .key(bytes) : digits(bytes)
  }

  private static func digits(_ bytes: [UInt8]) -> StoreEncryption? {
    guard var key = bytes.hexadecimal(StoreEncryption.keySize) else { return nil }
    defer { key.erase() }
    return .key(key)
  }

  private static func passphrase(_ bytes: [UInt8]) -> StoreEncryption? {
    var end = bytes.count
    if end > 0, bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
    if end > 0, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    var text = Array(bytes[..<end])
    defer { text.erase() }
    return text.isEmpty ? nil : .passphrase(utf8: text)
  }

  /// Passes the bytes of a file to a body, and zeroes them.
  private static func withBytes<T>(of file: String, _ body: ([UInt8]) throws -> T) throws -> T {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFault("cannot read '\(file)'") }
    defer { _ = close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: maximumFileSize + 1)
    defer { bytes.erase() }
    var count = 0
    // A pipe gives its bytes in pieces.
    while count < bytes.count {
      try Interruption.wait(for: descriptor)
      let got = bytes.withUnsafeMutableBytes { buffer in
        Foundation.read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw SystemFault("cannot read '\(file)'") }
      if got == 0 { break }
      count += got
    }
    guard count <= maximumFileSize else {
      throw Failure("'\(file)' has more than \(maximumFileSize) bytes; name a file with a key only")
    }
    var content = Array(bytes[..<count])
    defer { content.erase() }
    return try body(content)
  }
}

extension [UInt8] {
  /// The bytes that hexadecimal digits stand for, with a line feed at the end or without; nil for
  /// another number of bytes and for other characters.
  fileprivate func hexadecimal(_ byteCount: Int) -> [UInt8]? {
    var end = count
    if end > 0, self[end - 1] == UInt8(ascii: "\n") { end -= 1 }
    if end > 0, self[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    guard end == 2 * byteCount else { return nil }
    var bytes = [UInt8](repeating: 0, count: byteCount)
    for place in 0..<end {
      guard let digit = Character(UnicodeScalar(self[place])).hexDigitValue else {
        bytes.erase()
        return nil
      }
      bytes[place / 2] |= UInt8(digit) << (place % 2 == 0 ? 4 : 0)
    }
    return bytes
  }

  /// Zeroes the bytes, in a way that no compiler leaves out.
  mutating func erase() {
    withUnsafeMutableBytes { bytes in
      guard let address = bytes.baseAddress else { return }
      #if canImport(Darwin)
        _ = memset_s(address, bytes.count, 0, bytes.count)
      #else
        explicit_bzero(address, bytes.count)
      #endif
    }
  }
}
