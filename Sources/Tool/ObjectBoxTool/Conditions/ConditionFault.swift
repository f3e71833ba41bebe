/// An error in the text of a condition, with its position.
package struct ConditionFault: Error, CustomStringConvertible {
  package let text: String
  /// The condition.
  package let source: String
  /// The characters at fault; empty at the end.
  package let range: Range<String.Index>

  init(_ text: String, _ source: String, _ range: Range<String.Index>) {
    self.text = text
    self.source = source
    self.range = range
  }

  /// The error, the condition's line, and a mark under the position.
  package var description: String {
    let line = source.lineRange(for: range.lowerBound..<range.lowerBound)
    let shown = source[line].prefix { !$0.isNewline }
    // Tabs keep their width.
    let blanks = source[line.lowerBound..<range.lowerBound].map { $0 == "\t" ? "\t" : " " }
    let count = source[range].prefix { !$0.isNewline }.count
    return "\(text)\n  \(shown)\n  \(blanks.joined())^"
      + String(repeating: "~", count: max(0, count - 1))
  }
}

extension String {
  /// Returns the range of the line at a position.
  fileprivate func lineRange(for place: Range<Index>) -> Range<Index> {
    let start = self[..<place.lowerBound].lastIndex(where: \.isNewline).map(index(after:))
    let end = self[place.lowerBound...].firstIndex(where: \.isNewline)
    return (start ?? startIndex)..<(end ?? endIndex)
  }
}
