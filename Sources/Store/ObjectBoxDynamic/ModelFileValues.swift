internal import ObjectBox
internal import ObjectBoxJSON

/// A fault of a model file.
struct ModelFileFault {
  private let text: String

  init(_ text: String) {
    self.text = text
  }

  func error(at place: JSONPlace) -> ObjectBoxError {
    .schema(message: "\(place.description): \(text)")
  }

  static func wrongValue(
    _ key: String,
    _ value: JSONValue,
    expected: String
  ) -> ObjectBoxError {
    Self("the \(key) is \(value.kind), and \(expected) is expected; \(ModelFile.restore)")
      .error(at: value.place)
  }
}

/// An ID and UID in a model file, written as "id:uid".
struct ModelFileID {
  let id: UInt32
  let uid: UInt64
  let place: JSONPlace

  init(_ value: JSONValue) throws {
    let parts = value.string?.split(separator: ":", omittingEmptySubsequences: false) ?? []
    guard parts.count == 2, let id = UInt32(parts[0]), let uid = UInt64(parts[1]) else {
      throw ModelFileFault.wrongValue("ID", value, expected: "a text \"id:uid\"")
    }
    self.id = id
    self.uid = uid
    place = value.place
  }
}

extension JSONValue {
  /// The value of a key; nil when it is absent or null.
  func member(_ key: String) -> JSONValue? {
    guard let value = self[key] else { return nil }
    if case .null = value.content { return nil }
    return value
  }

  func required(_ key: String) throws -> JSONValue {
    guard isObject else {
      throw ModelFileFault.wrongValue("element", self, expected: "an object")
    }
    guard let value = member(key) else {
      throw ModelFileFault("the key \"\(key)\" is missing; \(ModelFile.restore)").error(at: place)
    }
    return value
  }

  /// The elements of an array; empty when the key is absent.
  func elements(of key: String) throws -> [JSONValue] {
    guard let value = member(key) else { return [] }
    guard let elements = value.elements else {
      throw ModelFileFault.wrongValue(key, value, expected: "an array")
    }
    return elements
  }

  func text(of key: String) throws -> String {
    guard let string else { throw ModelFileFault.wrongValue(key, self, expected: "a text") }
    return string
  }

  func number<T: FixedWidthInteger>(of key: String) throws -> T {
    guard let number = integer(T.self) else {
      throw ModelFileFault.wrongValue(
        key,
        self,
        expected: "a whole number from \(T.min) to \(T.max)"
      )
    }
    return number
  }

  func real(of key: String) throws -> Double {
    guard case .number(let digits) = content, let number = Double(digits), number.isFinite else {
      throw ModelFileFault.wrongValue(key, self, expected: "a number")
    }
    return number
  }

  func boolean(of key: String) throws -> Bool {
    guard case .boolean(let value) = content else {
      throw ModelFileFault.wrongValue(key, self, expected: "a Boolean")
    }
    return value
  }

  /// The value of a key that must be one of several words.
  func word<T>(of key: String, _ words: [String: T]) throws -> T {
    guard let value = string.flatMap({ words[$0] }) else {
      let known = words.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
      throw ModelFileFault.wrongValue(key, self, expected: "one of \(known)")
    }
    return value
  }
}
