import Foundation

/// Commands that make faults.
enum Shell {
  /// Runs SQL by the server's own client, as its administrator does.
  static func sql(_ text: String, _ address: String) async {
    let quoted = [address, text].map { "'" + $0.replacing("'", with: "'\\''") + "'" }
    await run("psql -q -At -o /dev/null \(quoted[0]) -c \(quoted[1])")
  }

  /// Runs a command to its end; its output goes to standard error.
  static func run(_ command: String) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        // Threads of tasks block signals, and their processes inherit that.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        // Foundation's Process would wait for servers that the command starts as well.
        if let pipe = popen("{ \(command); } >&2", "r") { pclose(pipe) }
        continuation.resume()
      }
    }
  }
}
