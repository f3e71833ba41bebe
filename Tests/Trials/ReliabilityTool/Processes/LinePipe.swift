import Foundation

/// A pipe for lines of processes; a line of fewer than 4,096 bytes arrives whole.
///
/// One thread reads.
final class LinePipe {
  private(set) var reading: Int32 = -1
  private(set) var writing: Int32 = -1
  private var unread: [UInt8] = []
  private var start = 0

  init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw TrialError("cannot make a pipe: \(systemText(errno))") }
    (reading, writing) = (ends[0], ends[1])
    // Children get only the write end, through a redirection.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(reading)
    endWriting()
  }

  /// Closes this process's write end, so that the pipe ends with the writing processes.
  func endWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }

  /// The result of reading.
  enum Line: Equatable {
    case line(String)
    case timeout
    case end
  }

  /// Returns the next line.
  ///
  /// - Parameter deadline: When to give up, by `Clock.now`; nil to wait for ever.
  /// - Returns: The line, or the reason why there is none.
  func next(until deadline: Double? = nil) -> Line {
    while true {
      if let end = unread[start...].firstIndex(of: 10) {
        defer { start = end + 1 }
        return .line(String(decoding: unread[start..<end], as: UTF8.self))
      }
      unread.removeFirst(start)
      start = 0
      if let deadline {
        var request = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        let left = max(0, deadline - Clock.now)
        if poll(&request, 1, Int32(min(left * 1000, 1e9).rounded(.up))) == 0 { return .timeout }
      }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = read(reading, &bytes, bytes.count)
      if count == 0 { return .end }
      if count > 0 { unread += bytes[..<count] }
    }
  }

  /// Returns all remaining lines, after the last writer has ended.
  func lines() -> [String] {
    var lines: [String] = []
    while case .line(let line) = next() { lines.append(line) }
    return lines
  }
}

/// The clock that all processes of a system share.
enum Clock {
  /// Nanoseconds.
  static var nanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
  /// Seconds.
  static var now: Double { Double(nanoseconds) / 1e9 }
}

/// Writes a line to standard output in one call: a kill cannot lose or split it.
func tell(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  var written = 0
  while written < bytes.count {
    let count = bytes[written...].withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    if count < 0 && errno != EINTR { exit(3) }
    written += max(0, count)
  }
}
