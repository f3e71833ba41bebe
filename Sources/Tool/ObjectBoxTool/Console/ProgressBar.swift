internal import Foundation

/// A progress bar on standard error, shown only on a terminal.
struct ProgressBar {
  private static let width = 40

  private let title: String
  private let isShown = Console.isInteractive
  private var percent = -1

  /// Makes a bar; the title is the operation in one word.
  init(_ title: String) {
    self.title = title
  }

  /// Shows the completed steps of a total, 0 when unknown; cheap while the bar does not change.
  mutating func show(_ done: Int, of total: Int) {
    guard isShown, total > 0 else { return }
    let percent = min(100, Int(Double(done) / Double(total) * 100))
    guard percent != self.percent else { return }
    self.percent = percent
    let filled = percent * Self.width / 100
    let bar =
      String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
    write("\r\(title) [\(bar)] \(percent) %")
  }

  /// Removes the bar.
  mutating func end() {
    guard percent >= 0 else { return }
    percent = -1
    write("\r\u{1B}[K")
  }

  private func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
