import Foundation

/// A progress bar, shown only on a terminal.
struct ProgressBar {
  private static let width = 40
  private let total: Int
  private let isShown = isatty(STDERR_FILENO) == 1
  private var last = -1

  init(total: Int) {
    self.total = max(1, total)
  }

  mutating func show(_ done: Int) {
    let percent = min(100, done * 100 / total)
    guard isShown, percent != last else { return }
    last = percent
    let filled = percent * Self.width / 100
    let bar =
      String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
    write("\r[\(bar)] \(percent) %")
  }

  mutating func finish() {
    guard isShown else { return }
    show(total)
    write("\n")
  }

  private func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
