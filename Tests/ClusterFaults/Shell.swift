import Foundation

/// Commands that make faults.
enum Shell {
  /// Runs SQL by the server's own client, as its administrator does.
  static func sql(_ text: String, _ address: String) async {
    await run("psql -q -At -o /dev/null \(quoted(address)) -c \(quoted(text))")
  }

  /// Returns whether a server takes a commit, by the server's own client.
  static func canCommit(_ address: String) async -> Bool {
    await run(
      "PGCONNECT_TIMEOUT=2 timeout 3 psql -q \(quoted(address)) -c 'CREATE TEMP TABLE look ()' 2>/dev/null"
    )
  }

  /// The text as one word of the shell.
  static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

  /// Runs a command to its end; its output goes to standard error.
  ///
  /// - Parameter command: A command of the shell.
  /// - Returns: True when it ended with 0.
  @discardableResult
  static func run(_ command: String) async -> Bool {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        // Threads of tasks block signals, and their processes inherit that.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        // Foundation's Process would wait for servers that the command starts as well.
        let status = popen("{ \(command); } >&2", "r").map { pclose($0) }
        continuation.resume(returning: status == 0)
      }
    }
  }
}
