internal import CObjectBoxRecords

/// Numbers different values from 0 on, in the order in which they come.
protocol ValueNumbers: AnyObject {
  /// The number of different values.
  var count: Int { get }

  /// Returns the numbers of a batch's values, one for each record.
  func number(_ batch: RecordBatch, into numbers: UnsafeMutablePointer<UInt32>) throws

  /// Returns the numbers here of all values of another object of the same type.
  func numbers(of other: Self) -> [UInt32]

  /// Returns a value.
  func content(_ number: Int) -> GroupCell.Content
}

extension ValueNumbers {
  /// Returns the numbers here of all values of another object, which must have the same type.
  func numbers(ofAny other: any ValueNumbers) -> [UInt32] {
    (other as? Self).map { numbers(of: $0) } ?? []
  }
}

/// The numbers of integers and floating point numbers.
final class NumberNumbers: ValueNumbers {
  private let column: Int
  private let makeContent: @Sendable (Int64) -> GroupCell.Content
  /// Makes keys of the stored numbers; nil if they are keys themselves.
  private let key: ((Int64) throws -> Int64)?
  private let table = KeyTable()
  /// The number of null, after the first null; the table's key at that position has no meaning.
  private var null: UInt32?

  /// - Parameters:
  ///   - column: The column of the batches.
  ///   - key: Returns the group key of a stored number.
  ///   - content: Makes the value of a group of its key.
  init(
    column: Int,
    key: ((Int64) throws -> Int64)? = nil,
    content: @escaping @Sendable (Int64) -> GroupCell.Content
  ) {
    self.column = column
    self.key = key
    makeContent = content
  }

  var count: Int { table.keys.count + (null == nil ? 0 : 1) }

  func number(_ batch: RecordBatch, into numbers: UnsafeMutablePointer<UInt32>) throws {
    let values = batch.values(column)
    if key == nil, !values.hasNull, null == nil {
      return table.number(values.numbers, count: batch.count, into: numbers)
    }
    for index in 0..<batch.count {
      guard values.presence[index] != 0 else {
        numbers[index] = numberOfNull()
        continue
      }
      let value = values.numbers[index]
      numbers[index] = number(try key?(value) ?? value)
    }
  }

  /// The numbers of values that came after null are greater by one than in the table.
  private func number(_ value: Int64) -> UInt32 {
    let number = table.number(UInt64(bitPattern: value))
    return null.map { number >= $0 ? number + 1 : number } ?? number
  }

  private func numberOfNull() -> UInt32 {
    if let null { return null }
    let number = UInt32(table.keys.count)
    null = number
    return number
  }

  func numbers(of other: NumberNumbers) -> [UInt32] {
    (0..<other.count).map { index in
      other.key(at: index).map { number(Int64(bitPattern: $0)) } ?? numberOfNull()
    }
  }

  private func key(at number: Int) -> UInt64? {
    guard let null else { return table.keys[number] }
    return number == null ? nil : table.keys[number > null ? number - 1 : number]
  }

  func content(_ number: Int) -> GroupCell.Content {
    key(at: number).map { makeContent(Int64(bitPattern: $0)) } ?? .null
  }
}

/// The numbers of texts.
final class TextNumbers: ValueNumbers {
  private let column: Int
  /// Makes keys of the stored texts; nil if they are keys themselves.
  private let key: ((UnsafeRawBufferPointer) -> [UInt8])?
  /// True if the value of a group is the least text with its key, else it is the key.
  private let showsTexts: Bool
  private let table = TextTable()
  /// The number of null, after the first null; the table's text at that position has no meaning.
  private var null: UInt32?
  /// The least text of each number, if texts are shown.
  private var shown: [TextKey?] = []

  init(column: Int, showsTexts: Bool = false, key: ((UnsafeRawBufferPointer) -> [UInt8])? = nil) {
    self.column = column
    self.showsTexts = showsTexts
    self.key = key
  }

  var count: Int { table.count }

  func number(_ batch: RecordBatch, into numbers: UnsafeMutablePointer<UInt32>) throws {
    let values = batch.values(column)
    if key == nil, !values.hasNull {
      // Only a key has other texts to show.
      return table.number(values.texts, count: batch.count, into: numbers)
    }
    for index in 0..<batch.count {
      guard values.presence[index] != 0 else {
        numbers[index] = numberOfNull()
        continue
      }
      let text = values.texts[index].buffer
      numbers[index] = key?(text).withUnsafeBytes { table.number($0) } ?? table.number(text)
      if showsTexts { show(TextKey([UInt8](text)), numbers[index]) }
    }
  }

  private func numberOfNull() -> UInt32 {
    if let null { return null }
    let number = table.addPlace()
    null = number
    return number
  }

  private func show(_ text: TextKey, _ number: UInt32) {
    while shown.count < table.count { shown.append(nil) }
    if let least = shown[Int(number)], least <= text { return }
    shown[Int(number)] = text
  }

  func numbers(of other: TextNumbers) -> [UInt32] {
    (0..<other.count).map { index in
      if other.null == UInt32(index) { return numberOfNull() }
      let number = other.table.withText(index) { table.number($0) }
      if showsTexts, let text = other.shown[index] { show(text, number) }
      return number
    }
  }

  func content(_ number: Int) -> GroupCell.Content {
    if null == UInt32(number) { return .null }
    if showsTexts, let text = shown[number] {
      return .text(String(decoding: text.bytes, as: UTF8.self))
    }
    return .text(table.withText(number) { String(decoding: $0, as: UTF8.self) })
  }
}

/// The bytes of a text as a key.
struct TextKey: Hashable, Comparable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func < (first: TextKey, second: TextKey) -> Bool {
    first.bytes.lexicographicallyPrecedes(second.bytes)
  }
}
