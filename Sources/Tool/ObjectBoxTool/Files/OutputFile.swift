internal import Foundation

/// A destination of bytes.
package protocol ByteOutput {
  /// Writes all bytes, or throws.
  mutating func write(_ bytes: [UInt8]) throws
}

/// Writes all bytes to a descriptor.
private func writeAll(_ bytes: [UInt8], to descriptor: Int32, _ name: String) throws {
  try bytes.withUnsafeBytes { bytes in
    var done = 0
    while done < bytes.count {
      let count = write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      if count >= 0 {
        done += count
      } else if errno == EINTR {
        try Interruption.check()
      } else {
        throw SystemFault("cannot write to \(name)")
      }
    }
  }
}

/// A failed system call, described in words.
struct SystemFault: Error, CustomStringConvertible {
  let code = errno
  private let text: String

  /// Makes the fault of the call that has just failed.
  init(_ text: String) {
    self.text = text
  }

  /// Whether the pipe has no reader any more.
  var isClosedPipe: Bool { code == EPIPE }

  var description: String { "\(text): \(String(cString: strerror(code)))" }
}

/// The standard output of the process.
struct StandardOutput: ByteOutput {
  mutating func write(_ bytes: [UInt8]) throws {
    try writeAll(bytes, to: STDOUT_FILENO, "standard output")
  }
}

/// A file that replaces an older one only when it is complete and on disk.
///
/// Owns a temporary file, which is removed with the instance.
package final class OutputFile: ByteOutput {
  private let path: String
  /// The temporary file next to `path`; nil once it has its final name, and for a path that is no
  /// file, such as a pipe.
  private var temporary: String?
  private var descriptor: Int32

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - path: The path; for a link, its target is replaced.
  ///   - mode: The permission bits of a new file, reduced by the process's mask. An existing file
  ///     keeps its bits.
  /// - Throws: ``SystemFault`` when no file can be made there.
  package init(_ path: String, mode: UInt32 = 0o666) throws {
    var status = stat()
    let exists = stat(path, &status) == 0
    let isFile = !exists || status.st_mode & S_IFMT == S_IFREG
    let name = exists ? Self.target(of: path) : path
    self.path = name
    // The name is random: in containers, processes of different runs have the same ID.
    temporary = isFile ? "\(name).\(getpid()).\(UInt32.random(in: 0 ... .max)).tmp" : nil
    descriptor = open(
      temporary ?? name,
      O_WRONLY | O_CLOEXEC | (isFile ? O_CREAT | O_EXCL : 0),
      mode_t(exists ? 0o600 : mode)
    )
    guard descriptor >= 0 else { throw SystemFault("cannot write the file '\(path)'") }
    if exists, isFile { _ = fchmod(descriptor, status.st_mode & 0o7777) }
  }

  private static func target(of path: String) -> String {
    guard let target = realpath(path, nil) else { return path }
    defer { free(target) }
    return String(cString: target)
  }

  deinit {
    if descriptor >= 0 { _ = close(descriptor) }
    if let temporary { _ = unlink(temporary) }
  }

  package func write(_ bytes: [UInt8]) throws {
    try writeAll(bytes, to: descriptor, "'\(path)'")
  }

  /// Writes the file to disk and gives it its final name.
  ///
  /// Throws when that fails; an older file of that name then stays unchanged.
  package func finish() throws {
    guard let temporary else { return }
    let isWritten = fsync(descriptor) == 0
    let fault = SystemFault("cannot write the file '\(path)'")
    let isClosed = close(descriptor) == 0
    descriptor = -1
    guard isWritten else { throw fault }
    guard isClosed, rename(temporary, path) == 0 else {
      throw SystemFault("cannot write the file '\(path)'")
    }
    self.temporary = nil
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let directory = open(folder, O_RDONLY | O_CLOEXEC)
    if directory >= 0 {
      _ = fsync(directory)
      _ = close(directory)
    }
  }
}
