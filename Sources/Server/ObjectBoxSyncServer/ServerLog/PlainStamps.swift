internal import ObjectBoxSyncProtocol

/// The forms of stamps that ``StampTrigger`` writes.
///
/// The trigger puts the present time before the earlier stamp's bytes, which it need not read:
///
/// - the stamp of an object: 2, precedence, milliseconds since 1970, then the earlier stamp;
/// - the stamps of properties: 2, their number in two bytes, for each the property and milliseconds, then
///   the earlier stamps.
///
/// The other numbers have eight bytes in big-endian order. The earlier part is in the form of `serverBytes`, and empty
/// if there is none. A stamp has the database's time, or the next time after the earlier stamp if a device's clock was
/// ahead of the database's.
enum PlainStamps {
  private static let form: UInt8 = 2

  /// Reads the stamp of an object.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the column.
  ///   - title: The name of the bytes in the error.
  /// - Returns: The stamp.
  /// - Throws: ``ServerLogError/corrupt(message:)``.
  static func stamp(_ bytes: [UInt8], _ title: @autoclosure () -> String) throws -> Stamp {
    guard bytes.first == form, bytes.count >= 17 else {
      return try Stamp(serverBytes: bytes, title())
    }
    let earlier =
      bytes.count > 17 ? try Stamp(serverBytes: Array(bytes[17...]), title()) : .none
    return stamp(number(bytes[9..<17]), after: earlier, precedence: number(bytes[1..<9]))
  }

  /// Reads the stamps of properties.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the column.
  ///   - object: The object's stamp, for properties without their own stamp.
  ///   - title: The name of the bytes in the error.
  /// - Returns: The stamps by property.
  /// - Throws: ``ServerLogError/corrupt(message:)``.
  static func stamps(
    _ bytes: [UInt8],
    over object: Stamp,
    _ title: @autoclosure () -> String
  ) throws -> PropertyList<Stamp> {
    guard bytes.first == form, bytes.count >= 3 else {
      return try PropertyList(serverBytes: bytes, title())
    }
    let end = min(3 + (Int(bytes[1]) << 8 | Int(bytes[2])) * 16, bytes.count)
    var stamps =
      end < bytes.count
      ? try PropertyList<Stamp>(serverBytes: Array(bytes[end...]), title()) : PropertyList<Stamp>()
    for place in stride(from: 3, to: end - 15, by: 16) {
      let property = PropertyUID(UInt64(bitPattern: number(bytes[place..<place + 8])))
      stamps[property] = stamp(
        number(bytes[place + 8..<place + 16]),
        after: stamps[property] ?? object
      )
    }
    return stamps
  }

  /// The token is below all tokens of devices, so a simultaneous write of a device counts as the later one.
  private static func stamp(
    _ milliseconds: Int64,
    after earlier: Stamp,
    precedence: Int64 = 0
  ) -> Stamp {
    Stamp(
      precedence: precedence,
      time: earlier.time.advanced(to: milliseconds),
      token: Stamp.none.token
    )
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
  }
}
