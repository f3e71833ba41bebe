/// A long operation of the runtime, which shows its progress and ends on a signal.
final class InterruptibleWork {
  private var bar: ProgressBar
  private var interruption: (any Error)?

  private init(_ title: String) {
    bar = ProgressBar(title)
  }

  /// Runs an operation and shows its progress.
  ///
  /// - Parameters:
  ///   - title: The operation in one word.
  ///   - body: The operation. It reports its progress, from 0 to 1, and ends early when the call
  ///     returns false.
  /// - Returns: The result of the operation.
  /// - Throws: ``Interruption/Requested`` after a signal, and the error of the operation.
  static func run<T>(_ title: String, _ body: (@escaping (Double) -> Bool) throws -> T) throws -> T
  {
    let work = InterruptibleWork(title)
    let result = try body(work.goesOn)
    try work.end()
    return result
  }

  /// Shows the progress, from 0 to 1; returns false after a signal.
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
