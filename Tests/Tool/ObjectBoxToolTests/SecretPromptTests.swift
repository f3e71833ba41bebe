import Foundation
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

#if os(Linux)
  /// The question for a key on a terminal.
  struct SecretPromptTests {
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
