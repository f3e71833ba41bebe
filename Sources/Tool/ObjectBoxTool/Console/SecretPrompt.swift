internal import Foundation

/// Asks for a secret on a terminal, which does not show what is typed.
package final class SecretPrompt {
  private static let maximumLength = 4096

  private let descriptor: Int32

  /// Opens the terminal of the process; nil when there is none.
  ///
  /// - Parameter path: The terminal.
  package init?(terminal path: String = "/dev/tty") {
    descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    // `deinit` closes it also when this returns nil.
    if isatty(descriptor) != 1 { return nil }
  }

  deinit { if descriptor >= 0 { _ = close(descriptor) } }

  /// Asks a question, and passes the line that is typed to a body.
  ///
  /// The terminal shows characters again afterwards, also after a signal.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - body: Gets the line without its end, in memory that is zeroed afterwards.
  /// - Returns: The result of the body.
  /// - Throws: ``Interruption/Requested`` after a signal, ``Failure`` for a line that is too long,
  ///   ``SystemFault`` when the terminal refuses.
  package func read<T>(_ question: String, _ body: ([UInt8]) throws -> T) throws -> T {
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { throw refused }
    var silent = settings
    silent.c_lflag &= ~tcflag_t(ECHO)
    silent.c_lflag |= tcflag_t(ICANON)
    // Characters that were typed before the question are dropped.
    guard tcsetattr(descriptor, TCSAFLUSH, &silent) == 0 else { throw refused }
    defer {
      _ = tcsetattr(descriptor, TCSAFLUSH, &settings)
      write("\n")
    }
    write(question.printable)
    var line = [UInt8](repeating: 0, count: Self.maximumLength)
    defer { line.erase() }
    var count = 0
    while true {
      try Interruption.wait(for: descriptor)
      let got = line.withUnsafeMutableBytes { buffer in
        Foundation.read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw refused }
      count += got
      if got == 0 { break }
      if line[count - 1] == UInt8(ascii: "\n") {
        count -= 1
        break
      }
      guard count < line.count else {
        throw Failure("the line is too long; type less than \(Self.maximumLength) bytes")
      }
    }
    var typed = Array(line[..<count])
    defer { typed.erase() }
    return try body(typed)
  }

  private var refused: SystemFault { SystemFault("cannot use the terminal") }

  private func write(_ text: String) {
    _ = text.withCString { Foundation.write(descriptor, $0, strlen($0)) }
  }
}
