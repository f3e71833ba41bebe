import Foundation

/// A process of this program that runs a job of ``Job``.
///
/// A class, since it owns the process, which ends with it.
final class Child {
  /// The way in which a process ended.
  enum Ending: Equatable, CustomStringConvertible {
    case exit(Int32)
    case signal(Int32)
    /// It was killed for taking longer than allowed.
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
  ///   - output: The pipe that it writes lines to.
  ///   - takesErrors: Whether its standard error goes to the pipe as well.
  ///   - environment: Variables besides those of this process.
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
    // The child must not keep the pipe open under its first number, nor read from it.
    posix_spawn_file_actions_addclose(&actions, output.writing)
    posix_spawn_file_actions_addclose(&actions, output.reading)
    var variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // A crash is a result of the case; a backtrace of it takes seconds.
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

  /// Ends it without giving it a chance to do anything more.
  func kill() {
    guard ending == nil else { return }
    _ = Foundation.kill(pid, SIGKILL)
    _ = wait()
  }

  /// Kills it for taking too long.
  func killHanging() {
    kill()
    ending = .hang
  }

  /// Waits until it has ended.
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

/// Returns the system's text of an error number.
func systemText(_ code: Int32) -> String { String(cString: strerror(code)) }

/// An error of a trial that could not be run.
struct TrialError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
