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
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", command]
        process.standardOutput = FileHandle.standardError
        do {
          try process.run()
          process.waitUntilExit()
        } catch {
          FileHandle.standardError.write(Data("\(command): \(error)\n".utf8))
        }
        continuation.resume()
      }
    }
  }
}
