import Foundation

/// Commands that cause faults.
enum Shell {
  /// Runs SQL with psql, like an administrator.
  static func sql(_ text: String, _ address: String) async {
    await run("psql -q -At -o /dev/null \(quoted(address)) -c \(quoted(text))")
  }

  /// Returns whether psql can commit on a server.
  static func canCommit(_ address: String) async -> Bool {
    await run(
      "PGCONNECT_TIMEOUT=2 timeout 3 psql -q \(quoted(address)) -c 'CREATE TEMP TABLE look ()' 2>/dev/null"
    )
  }

  /// The text, quoted as one word for the shell.
  static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

  /// Runs a command to its end; its output goes to standard error.
  ///
  /// - Parameter command: A command of the shell.
  /// - Returns: True when it ended with 0.
  @discardableResult
  static func run(_ command: String) async -> Bool {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        // Tasks' threads block signals, and child processes inherit that.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        // Foundation's Process would also wait for servers that the command starts.
        let status = popen("{ \(command); } >&2", "r").map { pclose($0) }
        continuation.resume(returning: status == 0)
      }
    }
  }
}
