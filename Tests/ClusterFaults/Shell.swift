import Foundation

/// Commands that make faults.
enum Shell {
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
