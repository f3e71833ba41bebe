/// A message between a device and a server, as it travels over a connection.
///
/// `Documentation/Design/SyncProtocol.md` describes the exchange.
package enum WireMessage: Hashable, Sendable {
  /// From a device, first.
  case hello(Hello)
  /// The answer to ``hello(_:)``.
  case welcome(Welcome)
  /// The last message of a server that ends the connection.
  case refused(Refused)
  /// From a server: the device exceeds a limit, and the connection goes on.
  case notice(Refused)
  /// From a device.
  case upload(Upload)
  /// The answer to ``upload(_:)``, or to ``deltaRequest(_:)`` of a device that needs a new identity.
  case reply(ServerReply)
  /// From a device: answered as soon as there is a difference to its state.
  case deltaRequest(DeltaRequest)
  /// The answer to ``deltaRequest(_:)``, or the last one to ``digests(_:)``.
  case delta(Delta)
  /// The answer to ``deltaRequest(_:)`` with a useless cursor, and to ``digests(_:)`` of a comparison that must begin
  /// again.
  case reset(Reset)
  /// The answer to ``reset(_:)`` or ``refine(_:)``.
  case digests(Digests)
  /// The answer to ``digests(_:)`` with ranges for the device to divide, or with a part to stage.
  case refine(Refine)
  /// From a device.
  case lend(Lend)
  /// The answer to ``lend(_:)``.
  case lease(Lease)
  /// From a device: the filter variables, which replace the previous ones; a login begins without any.
  case variables(FilterVariables)
  /// From a device: the pending ``deltaRequest(_:)`` or the next one is answered even without a difference.
  case demand

  /// Returns true for the first byte of a message that may be an upload, which a server decodes later.
  package static func isUpload(_ first: UInt8?) -> Bool { first == 4 }

  /// Returns the message as bytes.
  package func encoded() -> [UInt8] {
    var capacity = 0
    // Objects are nearly all of a large message.
    if case .delta(let delta) = self { capacity = delta.rows.byteCount + 1_024 }
    var writer = WireWriter(capacity: capacity)
    func write(_ kind: UInt8, _ value: some WireValue) {
      writer.append(byte: kind)
      writer.append(value)
    }
    switch self {
    case .hello(let hello): write(1, hello)
    case .welcome(let welcome): write(2, welcome)
    case .refused(let refused): write(3, refused)
    case .upload(let upload): write(4, upload)
    case .reply(let reply): write(5, reply)
    case .deltaRequest(let deltaRequest): write(6, deltaRequest)
    case .delta(let delta): write(7, delta)
    case .reset(let reset): write(8, reset)
    case .digests(let digests): write(9, digests)
    case .lend(let lend): write(10, lend)
    case .lease(let lease): write(11, lease)
    case .notice(let notice): write(12, notice)
    case .refine(let refine): write(13, refine)
    case .variables(let variables): write(14, variables)
    case .demand: writer.append(byte: 15)
    }
    return writer.bytes
  }

  /// Reads a message.
  ///
  /// - Parameters:
  ///   - bytes: All bytes of the message.
  ///   - limit: The limit of the elements; nil for none.
  /// - Throws: ``WireError`` for bytes that are no message. It never traps, for any bytes.
  package init(decoding bytes: [UInt8], limit: WireLimit? = nil) throws(WireError) {
    var reader = WireReader(bytes, limit: limit)
    switch try reader.byte() {
    case 1: self = .hello(try reader.value())
    case 2: self = .welcome(try reader.value())
    case 3: self = .refused(try reader.value())
    case 4: self = .upload(try reader.value())
    case 5: self = .reply(try reader.value())
    case 6: self = .deltaRequest(try reader.value())
    case 7: self = .delta(try reader.value())
    case 8: self = .reset(try reader.value())
    case 9: self = .digests(try reader.value())
    case 10: self = .lend(try reader.value())
    case 11: self = .lease(try reader.value())
    case 12: self = .notice(try reader.value())
    case 13: self = .refine(try reader.value())
    case 14: self = .variables(try reader.value())
    case 15: self = .demand
    case let kind: throw reader.error("\(kind) is no kind of a message")
    }
    try reader.end()
  }
}
