/// A Swift source file: its text, and its path for findings.
package struct SourceFile: Hashable, Sendable {
  package var path: String
  package var text: String

  package init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}
