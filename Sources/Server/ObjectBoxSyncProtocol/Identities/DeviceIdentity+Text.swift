extension DeviceIdentity {
  /// The first eight hexadecimal digits, enough to distinguish the devices of a server.
  package var shortText: String {
    let digits = String(bits.high, radix: 16)
    return String((String(repeating: "0", count: 16 - digits.count) + digits).prefix(8))
  }
}
