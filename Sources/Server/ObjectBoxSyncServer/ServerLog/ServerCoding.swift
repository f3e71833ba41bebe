internal import ObjectBoxSyncProtocol

extension WireValue {
  /// The value in a column of bytes: the number of its form, then its bytes in messages.
  var serverBytes: [UInt8] {
    var writer = WireWriter()
    writer.append(byte: 1)
    writer.append(self)
    return writer.bytes
  }

  /// Reads ``serverBytes``.
  ///
  /// - Parameters:
  ///   - serverBytes: The bytes.
  ///   - title: The name of the bytes in the error.
  /// - Throws: ``ServerLogError/corrupt(message:)``.
  init(serverBytes: [UInt8], _ title: @autoclosure () -> String) throws {
    do {
      var reader = WireReader(serverBytes)
      let form = try reader.byte()
      guard form == 1 else { throw reader.error("\(form) is no form of a value") }
      self = try reader.value()
      try reader.end()
    } catch let error as WireError {
      throw ServerLogError.corrupt(
        message: """
          \(title()) in the server log's tables has a form that this version does not know \
          (\(error.found)); update this program, or restore the row
          """
      )
    }
  }
}
