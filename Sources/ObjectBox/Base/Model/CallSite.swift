/// The place of a call in source code; free to make, since both values are constants of the program.
struct CallSite: Sendable, CustomStringConvertible {
  let file: StaticString
  let line: UInt

  init(_ file: StaticString, _ line: UInt) {
    self.file = file
    self.line = line
  }

  /// Such as `App/Notes.swift:12`.
  var description: String { "\(file):\(line)" }
}
