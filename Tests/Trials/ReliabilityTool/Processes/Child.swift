import Foundation

/// A process of this program that runs a ``Job``; deinit ends it.
final class Child {
  /// How a process ended.
  enum Ending: Equatable, CustomStringConvertible {
    case exit(Int32)
    case signal(Int32)
    /// Killed after the time limit.
    case hang

    var description: String {
      switch self {
      case .exit(let code): "exit \(code)"
      case .signal(let number): "signal \(number) (\(String(cString: strsignal(number))))"
      case .hang: "no end within its time"
      }
    }
  }

  let pid: pid_t
  private var ending: Ending?

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - arguments: The job and its arguments.
  ///   - output: The pipe for its lines.
  ///   - takesErrors: Whether its standard error also goes to the pipe.
  ///   - environment: Variables in addition to this process's.
  /// - Throws: ``TrialError`` when the system refuses it.
  init(
    _ arguments: [String],
    to output: LinePipe,
    takesErrors: Bool = false,
    environment: [String: String] = [:]
  ) throws {
    let path = try Self.executable
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
    if takesErrors { posix_spawn_file_actions_adddup2(&actions, output.writing, 2) }
    // The child must neither read the pipe nor keep a second descriptor of it.
    posix_spawn_file_actions_addclose(&actions, output.writing)
    posix_spawn_file_actions_addclose(&actions, output.reading)
    var variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // A crash is a result of the case, and its backtrace would take seconds.
    if takesErrors { variables["SWIFT_BACKTRACE"] = "enable=no" }
    var argv = ([path] + arguments).map { strdup($0) } + [nil]
    var envp = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, path, &actions, nil, &argv, &envp)
    guard code == 0 else { throw TrialError("cannot start '\(path)': \(systemText(code))") }
    self.pid = pid
  }

  deinit {
    kill()
  }

  private static var executable: String {
    get throws {
      var path = CommandLine.arguments[0]
      if let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") {
        path = own
      }
      return path
    }
  }

  /// Kills the process.
  func kill() {
    guard ending == nil else { return }
    _ = Foundation.kill(pid, SIGKILL)
    _ = wait()
  }

  /// Kills the process after its time limit.
  func killHanging() {
    kill()
    ending = .hang
  }

  /// Waits for the end of the process.
  func wait() -> Ending {
    if let ending { return ending }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7F
    let found: Ending = signal == 0 ? .exit((status >> 8) & 0xFF) : .signal(signal)
    ending = found
    return found
  }
}

/// Returns the system's message for an error number.
func systemText(_ code: Int32) -> String { String(cString: strerror(code)) }

/// An error that keeps a trial from running.
struct TrialError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
