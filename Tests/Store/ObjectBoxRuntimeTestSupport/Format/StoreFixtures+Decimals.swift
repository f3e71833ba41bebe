import ObjectBox

extension StoreFixture {
  package static let decimals = StoreFixture(
    model: "decimals",
    steps: [
      Step(entities: [AmountEntity.self], lastIndex: 4) { try fillDecimals($0) }
    ]
  )

  private static func fillDecimals(_ store: Store) throws {
    let greatest = "340282366920938463463374607431768211455"
    let values: [String?] = [
      "0", "-0.00", "1", "1.00", "-1", "12.5", "-12.50", "0.1", "100", "99.99", "-100.01", nil,
      "99999999999999999999999999999999999999", greatest, "-" + greatest, greatest + "E127",
      "-" + greatest + "E-128", "1E-128", "1E+3", "12345678901234567890.123456789012345678",
      // Texts that are no decimals.
      "abc", "", greatest + "0E127", "1E-129", "NaN",
    ]
    try store.put(
      AmountEntity.self,
      values.enumerated().map { place, value in
        var object: [String: JSON] = ["number": .text("\(place).5")]
        object["owner"] = .text("o\(place % 2)")
        if let value { for name in ["amount", "plain", "hashed"] { object[name] = .text(value) } }
        if place % 3 == 0 { object["url"] = .text("https://example.org/\(place)") }
        return object
      }
    )
  }
}
