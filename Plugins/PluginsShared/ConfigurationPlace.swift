import Foundation

/// The place of a key in a JSON file: `path:line:column`, with columns in UTF-8 bytes from 1.
struct ConfigurationPlace: CustomStringConvertible {
  let description: String

  /// Finds the last key of a path of keys, or the last key of the path that the file has.
  ///
  /// Foundation's decoder reports no positions, so this searches the text for each key in turn,
  /// after the match of the previous key.
  init(_ file: URL, path: [String]) {
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    var rest = text.startIndex..<text.endIndex
    var place = text.startIndex
    for key in path {
      let pattern = "\"\(NSRegularExpression.escapedPattern(for: key))\"\\s*:"
      guard let found = text.range(of: pattern, options: .regularExpression, range: rest) else {
        continue
      }
      place = found.lowerBound
      rest = found.upperBound..<text.endIndex
    }
    let before = text.utf8[..<place]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map(text.utf8.index(after:))
    let column = text.utf8.distance(from: start ?? text.startIndex, to: place) + 1
    description = "\(file.path):\(line):\(column)"
  }
}
