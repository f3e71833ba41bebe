internal import Dispatch
internal import Foundation

/// Independent iterations, on the calling thread and on threads of Dispatch.
///
/// It replaces `DispatchQueue.concurrentPerform`: on Linux that leaves memory with the calling thread. If the program
/// has made the thread, libdispatch may free this memory twice when the thread ends: it does so when another destructor
/// of the thread's values calls Dispatch.
package final class ConcurrentWork: Sendable {
  private struct State {
    var next = 0
    /// Nil after the end.
    var body: (@Sendable (Int) -> Void)?
  }

  private let count: Int
  private let state: Guarded<State>
  /// The threads of Dispatch that have begun.
  private let helpers = DispatchGroup()

  private init(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    self.count = count
    state = Guarded(State(body: body))
  }

  /// Calls a body once for each iteration, and waits for all of them.
  ///
  /// The calling thread takes part, so the work also ends where Dispatch has no thread to spare.
  ///
  /// - Parameters:
  ///   - iterations: The number of iterations.
  ///   - body: Gets the number of an iteration, from 0.
  package static func perform(iterations: Int, _ body: @Sendable (Int) -> Void) {
    let helperCount = min(ProcessInfo.processInfo.activeProcessorCount, iterations) - 1
    guard helperCount > 0 else {
      for number in 0..<iterations { body(number) }
      return
    }
    withoutActuallyEscaping(body) { body in
      let work = ConcurrentWork(iterations, body)
      for _ in 0..<helperCount { DispatchQueue.global().async { work.help() } }
      work.run()
      work.end()
    }
  }

  private func run() {
    while let (number, body) = next() { body(number) }
  }

  private func next() -> (number: Int, body: @Sendable (Int) -> Void)? {
    state.withLock { state in
      guard state.next < count, let body = state.body else { return nil }
      defer { state.next += 1 }
      return (state.next, body)
    }
  }

  private func help() {
    let begins = state.withLock { state in
      guard state.body != nil else { return false }
      helpers.enter()
      return true
    }
    guard begins else { return }
    run()
    helpers.leave()
  }

  /// Waits for the helpers that have begun; later ones find nothing to do.
  private func end() {
    state.withLock { $0.body = nil }
    helpers.wait()
  }
}
