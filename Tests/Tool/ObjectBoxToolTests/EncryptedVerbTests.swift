import Foundation
import ObjectBoxTestSupport
import Testing

#if os(Linux) && OBJECTBOX_SODIUM
  /// Verbs on encrypted stores, and the options that name keys.
  struct EncryptedVerbTests {
    private static let digits = String(repeating: "0f", count: 32)

    private let tool: BuiltProgram
    private var folder: TemporaryDirectory { tool.folder }

    /// Makes a plain store `notes`, and an encrypted copy `sealed` with the key file `key`.
    init() throws {
      tool = try BuiltProgram("objectbox")
      try tool.folder.makeNotes("notes")
      _ = try tool.folder.write(Self.digits + "\n", to: "key")
      _ = try tool.folder.write("correct horse\n", to: "words")
      let result = try tool.run("copy", "notes", "sealed", "--to-key-file", "key")
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.errors.hasSuffix("to 'sealed', encrypted\n"), "\(result.errors)")
    }

    private func dump(_ store: String, _ options: String...) throws -> String {
      let result = try tool.run(["dump", store] + options)
      #expect(result.status == 0, "\(result.errors)")
      return result.output
    }

    /// Runs the tool without a terminal.
    private func detached(_ words: [String]) throws -> BuiltProgram.Result {
      let program = try BuiltProgram.url("objectbox").path
      return try tool.run(program: "/usr/bin/setsid", ["--wait", program] + words)
    }

    @Test func `an encrypted copy has the same dump and schema, and so has its plain copy`() throws
    {
      #expect(!tool.exists("sealed/data.mdb"))
      #expect(try dump("sealed", "--key-file", "key") == dump("notes"))
      let result = try tool.run("copy", "sealed", "back", "--key-file", "key", "--plain")
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.errors.hasSuffix("to 'back', without encryption\n"), "\(result.errors)")
      #expect(try dump("back") == dump("notes"))
      for store in [["notes"], ["sealed", "--key-file", "key"]] {
        let schema = try tool.run(["schema"] + store + ["--format", "json"])
        #expect(try schema.output == tool.run("schema", "notes", "--format", "json").output)
      }
    }

    @Test(arguments: [
      ["info", "sealed"], ["stats", "sealed"], ["schema", "sealed"], ["query", "sealed", "Note"],
      ["export", "sealed", "Note"], ["verify", "sealed"], ["verify", "sealed/sealed.head"],
      ["dump", "sealed"], ["backup", "sealed", "saved"],
    ])
    func `verbs that read take the key of a file`(words: [String]) throws {
      let result = try tool.run(words + ["--key-file", "key"])
      #expect(result.status == 0, "\(result.errors)")
      let without = try detached(words)
      #expect(without.status == 1)
      #expect(
        without.errors.contains("is encrypted, and there is no terminal"),
        "\(without.errors)"
      )
      #expect(without.errors.contains("'--key-file'"))
    }

    @Test func `a backup of an encrypted store opens with the same key`() throws {
      #expect(try tool.run("backup", "sealed", "saved", "--key-file", "key").status == 0)
      #expect(!tool.exists("saved/data.mdb"))
      #expect(try dump("saved", "--key-file", "key") == dump("notes"))
    }

    @Test func `a dump is loaded into a new encrypted store, and objects are imported`() throws {
      #expect(try tool.run("dump", "notes", "-o", "notes.jsonl").status == 0)
      let load = try tool.run("load", "new", "notes.jsonl", "--passphrase-file", "words")
      #expect(load.status == 0, "\(load.errors)")
      #expect(tool.exists("new/sealed.head") && !tool.exists("new/data.mdb"))
      #expect(try dump("new", "--passphrase-file", "words") == dump("notes"))
      _ = try folder.write("name\nZoe\n", to: "authors.csv")
      let words = ["import", "new", "Author", "authors.csv", "--passphrase-file", "words"]
      let imported = try tool.run(words)
      #expect(imported.status == 0, "\(imported.errors)")
      #expect(try dump("new", "--passphrase-file", "words").contains("Zoe"))
    }

    @Test func `a compacted encrypted store has the same dump, under the same key`() throws {
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/sealed")
      let result = try tool.run("compact", "sealed", "--key-file", "key")
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.errors.hasPrefix("made "), "\(result.errors)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/sealed").sorted()
          != files.sorted()
      )
      #expect(try dump("sealed", "--key-file", "key") == dump("notes"))
      #expect(try tool.run("verify", "sealed", "--key-file", "key").status == 0)
    }

    @Test func `copies of all kinds have the permission bits of the store`() throws {
      let owner = [FileAttributeKey.posixPermissions: 0o600]
      let paths = ["notes/data.mdb", "sealed/sealed.head"].map { folder.path + "/" + $0 }
      for path in paths { try FileManager.default.setAttributes(owner, ofItemAtPath: path) }
      let key = ["--key-file", "key"]
      for words in [
        ["copy", "notes", "a", "--to-key-file", "key"], ["copy", "sealed", "b", "--plain"] + key,
        ["backup", "sealed", "c"] + key, ["backup", "notes", "d"],
      ] {
        let result = try tool.run(words)
        #expect(result.status == 0, "\(result.errors)")
        let made = folder.path + "/" + words[2]
        for name in try FileManager.default.contentsOfDirectory(atPath: made) {
          let bits = try FileManager.default.attributesOfItem(atPath: made + "/" + name)
          #expect(bits[.posixPermissions] as? Int == 0o600, "\(words) \(name)")
        }
      }
    }

    // MARK: Keys

    @Test func `a key file has 32 bytes or 64 hexadecimal digits`() throws {
      let raw = Data(repeating: 0x0f, count: 32)
      try raw.write(to: folder.url.appendingPathComponent("raw"))
      _ = try folder.write(Self.digits.uppercased(), to: "upper")
      for key in ["raw", "upper"] {
        #expect(try dump("sealed", "--key-file", key) == dump("notes"))
      }
      for text in ["", String(Self.digits.dropLast()), "g" + Self.digits.dropFirst()] {
        _ = try folder.write(text, to: "bad")
        let result = try tool.run("info", "sealed", "--key-file", "bad")
        #expect(result.status == 1)
        #expect(result.errors.contains("'bad' is no key"), "\(result.errors)")
        #expect(text.isEmpty || !result.errors.contains(text))
      }
      let missing = try tool.run("info", "sealed", "--key-file", "missing")
      #expect(missing.errors.contains("cannot read 'missing'"), "\(missing.errors)")
    }

    @Test func `a wrong key and a key of the other kind are told without the key`() throws {
      let wrong = String(repeating: "1e", count: 32)
      _ = try folder.write(wrong, to: "wrong")
      let result = try tool.run("dump", "sealed", "--key-file", "wrong")
      #expect(result.status == 1)
      #expect(result.errors.hasPrefix("error: the key does not open"), "\(result.errors)")
      #expect(!result.errors.contains(wrong))
      let words = try tool.run("dump", "sealed", "--passphrase-file", "words")
      #expect(words.errors.contains("it needs a key of 32 bytes"), "\(words.errors)")
      #expect(!words.errors.contains("horse"))
    }

    @Test func `a key for a plain store and two keys are refused`() throws {
      let plain = try tool.run("info", "notes", "--key-file", "key")
      #expect(plain.status == 1)
      #expect(plain.errors.contains("is not encrypted"), "\(plain.errors)")
      let words = ["info", "sealed", "--key-file", "key", "--passphrase-file", "words"]
      let two = try tool.run(words)
      #expect(two.status == 2)
      #expect(two.errors.contains("a store has one key"), "\(two.errors)")
    }

    @Test func `encryption does not end unasked`() throws {
      for verb in ["copy", "salvage"] {
        let result = try tool.run(verb, "sealed", "other", "--key-file", "key")
        #expect(result.status == 2)
        #expect(result.errors.contains("'--plain'"), "\(result.errors)")
        #expect(!tool.exists("other"))
      }
    }

    @Test func `another key opens the store after a change`() throws {
      let result = try tool.run(
        "change-key",
        "sealed",
        "--key-file",
        "key",
        "--to-passphrase-file",
        "words"
      )
      #expect(result.status == 0, "\(result.errors)")
      #expect(try tool.run("info", "sealed", "--key-file", "key").status == 1)
      #expect(try dump("sealed", "--passphrase-file", "words") == dump("notes"))
      let plain = try tool.run("change-key", "notes", "--to-key-file", "key")
      #expect(plain.status == 1)
      #expect(plain.errors.contains("is not encrypted"), "\(plain.errors)")
      let missing = try detached(["change-key", "sealed", "--passphrase-file", "words"])
      #expect(missing.status == 2)
      #expect(missing.errors.contains("'--to-key-file'"), "\(missing.errors)")
    }

    @Test func `the salvage of a damaged image tells the page that is left out`() throws {
      let name = try #require(
        FileManager.default.contentsOfDirectory(atPath: folder.path + "/sealed")
          .first { $0.hasPrefix("sealed.pages-") }
      )
      let url = folder.url.appendingPathComponent("sealed/" + name)
      var bytes = try Data(contentsOf: url)
      let used = try #require((1025..<(bytes.count / 4096)).first { bytes[$0 * 4096] != 0 })
      bytes[used * 4096 + 9] ^= 1
      try bytes.write(to: url)
      #expect(try tool.run("verify", "sealed", "--key-file", "key").status == 1)
      let words = ["salvage", "sealed", "saved", "--key-file", "key", "--to-key-file", "key"]
      let result = try tool.run(words)
      #expect(result.status == 1)
      #expect(
        result.output.contains("page \(used - 1025) of version")
          || result.errors.contains("--model"),
        "\(result.output) \(result.errors)"
      )
    }
  }
#endif
