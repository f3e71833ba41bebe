/// A long work of the runtime that shows its progress and ends at a signal.
///
/// A class, since the runtime calls its function back.
final class InterruptibleWork {
  private var bar: ProgressBar
  private var interruption: (any Error)?

  /// Begins to show progress; the title is the work in a word.
  init(_ title: String) {
    bar = ProgressBar(title)
  }

  /// Shows the part that is done, from 0 to 1; false after a signal.
  func goesOn(_ part: Double) -> Bool {
    do { try Interruption.check() } catch { interruption = error }
    bar.show(Int(part * 1000), of: 1000)
    return interruption == nil
  }

  /// Removes the bar; throws when a signal ended the work.
  func end() throws {
    bar.end()
    if let interruption { throw interruption }
  }
}
