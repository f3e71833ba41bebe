@testable import ObjectBoxGenerator

/// A Swift source in which keycap digits such as 1️⃣ mark the positions of expected findings.
struct MarkedSource {
  /// The source without the marks.
  let file: SourceFile
  private let positions: [Character: SourcePosition]

  init(_ marked: String, path: String = "Note.swift") {
    var text = ""
    var positions: [Character: SourcePosition] = [:]
    var line = 1
    var column = 1
    for character in marked {
      if Self.marks.contains(character) {
        precondition(positions[character] == nil, "mark \(character) stands twice")
        positions[character] = SourcePosition(path: path, line: line, column: column)
        continue
      }
      text.append(character)
      if character.isNewline {
        line += 1
        column = 1
      } else {
        column += character.utf8.count
      }
    }
    file = SourceFile(path: path, text: text)
    self.positions = positions
  }

  private static let marks: Set<Character> = [
    "1️⃣", "2️⃣", "3️⃣", "4️⃣", "5️⃣", "6️⃣", "7️⃣", "8️⃣", "9️⃣",
  ]

  /// Returns the mark at a position; without a mark, the position in words.
  func mark(at position: SourcePosition?) -> String {
    guard let position else { return "nowhere" }
    let found = positions.first { $0.value == position }
    return found.map { String($0.key) } ?? "\(position.path):\(position.line):\(position.column)"
  }

  /// Returns the finding with its mark in front, and its notes behind arrows.
  func describe(_ finding: Diagnostic) -> String {
    let text = "\(mark(at: finding.position)) \(finding.message.severity): \(finding.message.text)"
    return ([text] + finding.notes.map { "-> " + describe($0) }).joined(separator: " ")
  }
}
