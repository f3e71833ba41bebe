/// A long work of the runtime that shows its progress and ends at a signal.
///
/// A class, since the runtime calls its function back.
final class InterruptibleWork {
  private var bar: ProgressBar
  private var interruption: (any Error)?

  private init(_ title: String) {
    bar = ProgressBar(title)
  }

  /// Runs a work, with its progress shown.
  ///
  /// - Parameters:
  ///   - title: The work in a word.
  ///   - body: The work, which passes the part that is done, from 0 to 1, and ends early when it is told false.
  /// - Returns: The result of the work.
  /// - Throws: ``Interruption/Requested`` after a signal, and the error of the work.
  static func run<T>(_ title: String, _ body: (@escaping (Double) -> Bool) throws -> T) throws -> T
  {
    let work = InterruptibleWork(title)
    let result = try body(work.goesOn)
    try work.end()
    return result
  }

  /// Shows the part that is done, from 0 to 1; false after a signal.
  private func goesOn(_ part: Double) -> Bool {
    do { try Interruption.check() } catch { interruption = error }
    bar.show(Int(part * 1000), of: 1000)
    return interruption == nil
  }

  /// Removes the bar; throws when a signal ended the work.
  private func end() throws {
    bar.end()
    if let interruption { throw interruption }
  }
}
