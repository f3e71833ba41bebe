import ObjectBoxSyncProtocol
import Testing

struct FilterVariablesTests {
  private func message(_ pairs: [(String, String)]) -> [UInt8] {
    var writer = WireWriter()
    writer.append(byte: 14)
    writer.append(UInt64(pairs.count))
    for (name, value) in pairs {
      writer.append(name)
      writer.append(value)
    }
    return writer.bytes
  }

  @Test func `variables with equal or descending names are refused`() throws {
    #expect(
      try WireMessage(decoding: message([("a", "1"), ("b", "1")]))
        == FilterVariables(["a": "1", "b": "1"]).map { .variables($0) }
    )
    for names in [["a", "a"], ["b", "a"], ["\u{e9}", "e\u{301}"]] {
      #expect(throws: WireError.self) {
        try WireMessage(decoding: message(names.map { ($0, "1") }))
      }
    }
  }

  @Test func `more or longer variables than a device may have are refused`() {
    let many = (0...FilterVariables.limit).map { (String($0 + 10_000), "") }
    let long = [("a", String(repeating: "b", count: FilterVariables.sizeLimit))]
    for pairs in [many, long] {
      #expect(FilterVariables(Dictionary(uniqueKeysWithValues: pairs)) == nil)
      #expect(throws: WireError.self) { try WireMessage(decoding: message(pairs)) }
    }
  }
}
