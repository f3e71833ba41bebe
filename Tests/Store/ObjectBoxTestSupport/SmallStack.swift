internal import Foundation

/// Runs a body on a thread with the stack size of secondary threads on Apple's systems, and waits for
/// it.
///
/// - Parameter body: The body; only that thread uses what it captures.
/// - Throws: The error of the body.
package func onSmallStack(_ body: @escaping () throws -> Void) throws {
  nonisolated(unsafe) let body = body
  nonisolated(unsafe) var failure: (any Error)?
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    do { try body() } catch { failure = error }
    done.signal()
  }
  thread.stackSize = 512 * 1024
  thread.start()
  done.wait()
  if let failure { throw failure }
}
