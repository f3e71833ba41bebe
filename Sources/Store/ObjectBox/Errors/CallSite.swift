/// The file and line of a call in source code; both are constants, so making one costs nothing.
package struct CallSite: Sendable, CustomStringConvertible {
  let file: StaticString
  let line: UInt

  package init(_ file: StaticString, _ line: UInt) {
    self.file = file
    self.line = line
  }

  /// The text, such as `App/Notes.swift:12`.
  package var description: String { "\(file):\(line)" }
}
