import Foundation
import Testing

#if os(Linux)
  /// The end of a terminal that a person would use.
  final class Terminal: Sendable {
    let descriptor: Int32
    let path: String

    init() throws {
      // The system's names of these requests are no constants in Swift.
      let (unlock, number) = (UInt(0x4004_5431), UInt(0x8004_5430))
      descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var value: Int32 = 0
      try #require(descriptor >= 0 && ioctl(descriptor, unlock, &value) == 0)
      try #require(ioctl(descriptor, number, &value) == 0)
      path = "/dev/pts/\(value)"
    }

    deinit { _ = close(descriptor) }

    /// Reads what the terminal shows, up to a text.
    func shown(upTo end: String) -> String {
      // Compared by bytes: a carriage return and a line feed are one character.
      var text: [UInt8] = []
      var byte: UInt8 = 0
      while !text.suffix(end.utf8.count).elementsEqual(end.utf8), read(descriptor, &byte, 1) == 1 {
        text.append(byte)
      }
      return String(decoding: text, as: UTF8.self)
    }

    func type(_ text: String) { _ = text.withCString { write(descriptor, $0, strlen($0)) } }

    /// Sets the number of columns.
    func setWidth(_ width: Int) {
      var size = winsize()
      size.ws_col = UInt16(width)
      size.ws_row = 24
      _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    }
  }
#endif
