/// Whether messages of errors quote stored values.
///
/// Logs and crash reports keep messages, so a store whose files are encrypted quotes no value unless the program asks.
package struct ValueQuoting: Sendable {
  /// The rule of plain stores.
  package static let shown = ValueQuoting(isShown: true)

  package let isShown: Bool

  package init(isShown: Bool) { self.isShown = isShown }

  /// Returns a part of a message with stored values, or another part if values are not shown.
  package func words(_ values: @autoclosure () -> String, else hidden: String) -> String {
    isShown ? values() : hidden
  }

  /// Returns an error of a function that was given stored values, in words.
  package func words(of error: any Error) -> String {
    words(
      "\(error)",
      else: "an error of type '\(type(of: error))' (its text may have stored values)"
    )
  }

  /// Returns the error of a conversion of a value to or from JSON; if values are not shown, without the text and the
  /// coding path of the coder's error.
  func conversionError(_ error: any Error) -> any Error {
    guard !isShown,
      case ObjectBoxError.conversionFailed(let entity, let property, let id, let cause) = error
    else { return error }
    let hidden: any Error =
      cause is EncodingError
      ? EncodingError.invalidValue(
        property,
        EncodingError.Context(codingPath: [], debugDescription: words(of: cause))
      )
      : DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: words(of: cause))
      )
    return ObjectBoxError.conversionFailed(
      entity: entity,
      property: property,
      id: id,
      error: hidden
    )
  }
}
