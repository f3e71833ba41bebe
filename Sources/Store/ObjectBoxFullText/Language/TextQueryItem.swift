/// A part of a query's text, with its place in UTF-8 bytes.
struct TextQueryItem {
  enum Kind {
    case words(TextExpression)
    case and
    case or
    /// `NOT`, or a minus directly before words.
    case not(String)
    case open
    case close
    /// The name of a column with its colon.
    case column(String, Int)
  }

  var kind: Kind
  var place: Range<Int>
}
