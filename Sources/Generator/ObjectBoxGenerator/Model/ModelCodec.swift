package import ObjectBoxJSON

/// The form of a type of values in a model file.
package struct ModelCodec<Value: Sendable>: Sendable {
  /// Reads the value of a key; returns nil, usually with a finding, when it has another form.
  let read: @Sendable (JSONValue, _ key: String, inout ModelReader) -> Value?
  /// Value in the file; nil when the key is left out.
  let value: @Sendable (Value) -> ModelValue?
  /// Replaces the IDs of a value.
  var mapIDs: @Sendable (Value, (ModelIDUse, ModelID) -> ModelID) -> Value = { value, _ in value }
}

extension ModelCodec {
  /// Makes the form of values that depend on their JSON alone.
  ///
  /// A finding calls the value by its `name`, by default its key, and describes what is `expected`.
  init(
    _ name: String? = nil,
    expected: String,
    read: @escaping @Sendable (JSONValue) -> Value?,
    value: @escaping @Sendable (Value) -> ModelValue?
  ) {
    self.value = value
    self.read = { json, key, reader in
      if let value = read(json) { return value }
      let message = DiagnosticMessage.wrongValue(name ?? key, expected: expected, found: json.kind)
      reader.report(message, at: json.position)
      return nil
    }
  }

  /// Makes the form of a list.
  init<Item>(listOf item: ModelCodec<Item>, _ name: String? = nil) where Value == [Item] {
    read = { json, key, reader in
      reader.elements(json, of: name ?? key).compactMap { item.read($0, key, &reader) }
    }
    value = { .list($0.compactMap(item.value)) }
    mapIDs = { list, transform in list.map { item.mapIDs($0, transform) } }
  }
}

extension ModelCodec where Value: Equatable {
  /// The form of an optional value, whose nil stands for the `usual` value.
  func optional(_ usual: Value? = nil) -> ModelCodec<Value?> {
    ModelCodec<Value?>(
      read: { read($0, $1, &$2).map { $0 == usual ? nil : $0 } },
      value: { $0.flatMap(value) },
      mapIDs: { value, transform in value.map { mapIDs($0, transform) } }
    )
  }
}

extension ModelCodec<String> {
  static var text: Self { Self(expected: "a text", read: \.string, value: ModelValue.text) }

  /// A text; any other JSON value reads as nil.
  static var anyText: Self {
    Self(read: { json, _, _ in json.string }, value: ModelValue.text)
  }
}

extension ModelCodec<Bool> {
  static var boolean: Self {
    Self(
      expected: "a Boolean",
      read: { if case .boolean(let value) = $0.content { value } else { nil } },
      value: ModelValue.boolean
    )
  }
}

extension ModelCodec where Value: FixedWidthInteger {
  static var number: Self {
    Self(
      "value",
      expected: "a whole number",
      read: { $0.integer() },
      value: { .number(UInt64($0)) }
    )
  }
}

extension ModelCodec<Double> {
  static var decimal: Self {
    Self(
      "value",
      expected: "a number",
      read: { json in
        guard case .number(let digits) = json.content else { return nil }
        return Double(digits).flatMap { $0.isFinite ? $0 : nil }
      },
      value: ModelValue.decimal
    )
  }
}

extension ModelCodec where Value: OptionSet, Value.RawValue: FixedWidthInteger & Sendable {
  static var flags: Self {
    let number = ModelCodec<Value.RawValue>.number
    return Self(
      read: { number.read($0, $1, &$2).map(Value.init) },
      value: { number.value($0.rawValue) }
    )
  }
}

extension ModelCodec where Value: CaseIterable & RawRepresentable<String> {
  /// The raw value of a case, as a text.
  static var word: Self {
    let words = Value.allCases.map { "\"\($0.rawValue)\"" }
    let others = words.dropFirst().reversed().joined(separator: ", ")
    return Self(
      expected: "\(others) or \(words[0])",
      read: { $0.string.flatMap(Value.init) },
      value: { .text($0.rawValue) }
    )
  }
}

extension ModelCodec<ModelID> {
  /// A text "id:uid".
  static func id(_ use: ModelIDUse? = nil) -> Self {
    var codec = Self(
      "ID",
      expected: use.isFromOne ? "a text \"id:uid\" with an ID from 1" : "a text \"id:uid\"",
      read: { json in ModelID(json).flatMap { use.isFromOne && $0.id == 0 ? nil : $0 } },
      value: { .text("\($0)") }
    )
    if let use { codec.mapIDs = { id, transform in transform(use, id) } }
    return codec
  }
}

extension ModelIDUse? {
  /// True when the ID must be at least 1: for the element's own ID.
  ///
  /// An empty model's last ID is 0. A property's ID is checked at its declaration, with its other
  /// limits.
  fileprivate var isFromOne: Bool {
    if case .own(let kind) = self { kind != .property } else { false }
  }
}

extension ModelCodec<[ModelID]> {
  static var properties: Self { Self(listOf: .id(.reference(.property))) }
}

extension ModelCodec<[UInt64]> {
  static var uids: Self { Self(listOf: .number, "list of UIDs") }
}

extension ModelID: CustomStringConvertible {
  package var description: String { "\(id):\(uid)" }

  package init?(_ json: JSONValue) {
    let parts = json.string?.split(separator: ":", omittingEmptySubsequences: false) ?? []
    guard parts.count == 2, let id = UInt32(parts[0]), let uid = UInt64(parts[1]) else {
      return nil
    }
    self.init(id: id, uid: uid)
  }
}
