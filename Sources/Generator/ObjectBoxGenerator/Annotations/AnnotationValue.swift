/// The value of an annotation.
package indirect enum AnnotationValue: Hashable, Sendable {
  /// A name without a value; counts as the number 1.
  case bare
  case integer(Int64)
  case decimal(Double)
  case text(String)
  /// Only inside JSON.
  case boolean(Bool)
  case list([AnnotationValue])
  case dictionary([String: AnnotationValue])

  /// The text of a text value, or the digits of an integer.
  package var string: String? {
    switch self {
    case .text(let text): text
    case .integer(let number): "\(number)"
    default: nil
    }
  }
}
