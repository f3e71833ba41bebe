import Foundation
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

#if os(Linux)
  /// The question for a key on a terminal.
  struct SecretPromptTests {
    /// The end of a terminal that a person would use.
    private final class Terminal: Sendable {
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
        while !text.suffix(end.utf8.count).elementsEqual(end.utf8), read(descriptor, &byte, 1) == 1
        {
          text.append(byte)
        }
        return String(decoding: text, as: UTF8.self)
      }

      func type(_ text: String) { _ = text.withCString { write(descriptor, $0, strlen($0)) } }
    }

    @Test func `what is typed is passed on and not shown`() throws {
      let terminal = try Terminal()
      let prompt = try #require(SecretPrompt(terminal: terminal.path))
      let typing = Thread {
        // The terminal is silent once the question is there.
        _ = terminal.shown(upTo: "passphrase: ")
        terminal.type("correct horse\n")
      }
      typing.start()
      #expect(try prompt.read("passphrase: ") { $0 } == Array("correct horse".utf8))
      #expect(!terminal.shown(upTo: "\n").contains("correct"))
      // It shows characters again.
      terminal.type("seen\n")
      #expect(terminal.shown(upTo: "seen").hasSuffix("seen"))
    }

    @Test func `a file is no terminal`() throws {
      let folder = try TemporaryDirectory()
      #expect(SecretPrompt(terminal: try folder.write("secret\n", to: "file")) == nil)
      #expect(SecretPrompt(terminal: folder.path + "/missing") == nil)
    }
  }
#endif
