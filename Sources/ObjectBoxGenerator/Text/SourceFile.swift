/// A Swift source file: its path as findings show it, and its text.
package struct SourceFile: Hashable, Sendable {
  package var path: String
  package var text: String

  package init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}
