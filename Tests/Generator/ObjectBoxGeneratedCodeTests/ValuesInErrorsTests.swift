import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxDynamic
import ObjectBoxEncryption
import ObjectBoxTestSupport
import Testing

#if os(Linux) && OBJECTBOX_SODIUM
  /// Errors that may quote stored values, in plain and in encrypted stores.
  @Suite(.onPlainFiles("has a plain store of its own beside encrypted ones"))
  struct ValuesInErrorsTests {
    enum Kind: CaseIterable {
      case plain, encrypted, asked
    }

    /// A part of each stored value.
    private static let mark = "90210777"
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func configuration(_ kind: Kind) -> Store.Configuration {
      var configuration = Store.Configuration(directory: folder.path + "/store")
      if kind == .plain { return configuration }
      var encryption = StoreEncryption.key([UInt8](0..<32))
      encryption.showsValuesInErrors = kind == .asked
      configuration.encryption = encryption
      return configuration
    }

    private func fill(
      _ kind: Kind,
      by model: URL,
      _ objects: KeyValuePairs<String, [String: (any Sendable)?]>
    ) throws {
      let store = try Store(configuration: configuration(kind), modelJSON: model)
      for (name, values) in objects { try store.box(named: name).put(values) }
      store.close()
    }

    /// Checks that an error, and all that it holds, has the mark or not.
    private func expect(_ kind: Kind, has words: String, _ body: () throws -> Void) {
      guard let error = #expect(throws: (any Error).self, performing: body) else { return }
      var text = "\(error) \(error.localizedDescription) \(String(reflecting: error))"
      dump(error, to: &text)
      #expect(text.contains(words), "\(text)")
      #expect(text.contains(Self.mark) == (kind != .encrypted), "\(text)")
    }

    @Test(arguments: Kind.allCases)
    func `unique values, and values that are no JSON`(_ kind: Kind) throws {
      let store = try Store(configuration: configuration(kind))
      for values: [String: (any Sendable)?] in [
        ["name": "a", "address": Self.mark],
        ["name": "a", "address": Self.mark + String(repeating: "x", count: 300)],
      ] {
        try store.box(named: "Merged").put(values)
        expect(kind, has: "'Merged.address'") { try store.box(named: "Merged").put(values) }
      }
      try store.box(for: Account.self).put(Account(1, number: Decimal(string: Self.mark)))
      expect(kind, has: "'Account.number'") {
        try store.box(for: Account.self).put(Account(2, number: Decimal(string: Self.mark)))
      }
      let contacts = store.box(for: Contact.self)
      let id = try store.box(named: "Contact").put(["name": "a", "level": "\"\(Self.mark)\""])
      expect(kind, has: "'Contact.level' of the object with ID \(id)") { _ = try contacts.get(id) }
      expect(kind, has: "'Contact.level'") { _ = try contacts.query().build().find() }
      let contact = Contact("a")
      contact.scores = [Self.mark: .nan]
      expect(kind, has: "cannot write 'Contact.scores'") { try contacts.put(contact) }
      store.close()
    }

    @Test(arguments: Kind.allCases)
    func `texts that are no numbers`(_ kind: Kind) throws {
      let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("model-ObjectBoxGeneratedCodeTests.json")
      let model = try String(contentsOf: file, encoding: .utf8)
        .replacing(",\n          \"externalType\": 103", with: "")
      let plain = URL(fileURLWithPath: try folder.write(model, to: "plain.json"))
      // Model files lack parameters of indexes.
      try Store(configuration: configuration(kind)).close()
      try fill(kind, by: plain, ["Account": ["balance": Self.mark + "x"]])
      let store = try Store(configuration: configuration(kind))
      let accounts = store.box(for: Account.self)
      expect(kind, has: "'Account.balance' of the object with ID 1") { _ = try accounts.get(1) }
      let balances = try accounts.query().build().property(Account.balance)
      expect(kind, has: "'Account.balance'") { _ = try balances.find() }
      expect(kind, has: "'Account.balance'") { _ = try balances.sum() }
      expect(kind, has: "ID 1 has") { throw Found(try store.verify()) }
      store.close()
      expect(kind, has: "ID 1 has") { throw Found(try Store.verify(configuration(kind))) }
    }

    /// The faults of a report as an error.
    private struct Found: Error {
      let faults: [String]

      init(_ report: VerificationReport) { faults = report.faults.map { "\($0)" } }
    }

    @Test(arguments: Kind.allCases)
    func `migrations that fail, and new unique values`(_ kind: Kind) throws {
      let model = try MigratedModel(
        "ObjectBoxGeneratedCodeTests",
        folder: folder.path,
        entities: ["Merged", "MergedOwner"]
      ).write(isEarlier: true)
      try fill(kind, by: model, ["Merged": ["name": "a", "born": Self.mark + "x"]])
      let name = "the object with ID 1"
      expect(kind, has: name) { _ = try Store(configuration: configuration(kind)) }
      let number = try #require(Int32(Self.mark))
      try fill(kind, by: model, ["Merged": ["id": 1, "born": nil, "number": -number]])
      expect(kind, has: name) { _ = try Store(configuration: configuration(kind)) }
      try fill(
        kind,
        by: model,
        ["Merged": ["id": 1, "name": Self.mark, "number": nil], "Merged": ["name": Self.mark]]
      )
      expect(kind, has: "'Merged.address'") { _ = try Store(configuration: configuration(kind)) }
    }
  }
#endif
