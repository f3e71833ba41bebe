import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Values, counts and aggregates of one property.
struct PropertyQueryTests {
  private let folder: TemporaryDirectory
  private let store: Store
  private var box: Box<Everything> { store.box() }
  private var nothings: Box<Nothing> { store.box() }

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
  }

  private func put(_ change: (Everything) -> Void) throws {
    let object = Everything()
    change(object)
    try box.put(object)
  }

  private func all() throws -> Query<Everything> { try box.query().build() }

  @Test func `integers are found in the order of IDs, and counted`() throws {
    for value in [42, 10, 42] { try put { $0.int = value } }
    let query = try all().property(Everything.int)
    #expect(try query.find() == [42, 10, 42])
    #expect(try query.count() == 3)
    #expect(try query.sum() == 94)
    #expect(try query.sumInt() == 94)
    #expect(try query.max() == 42)
    #expect(try query.min() == 10)
    #expect(try query.average() == 94.0 / 3)
    #expect(try query.averageInt() == 31)
    try query.distinct()
    #expect(try query.find() == [42, 10])
    #expect(try query.count() == 2)
    #expect(try query.sum() == 52)
  }

  @Test func `a sum that does not fit is an error, an average is not`() throws {
    for _ in 0..<2 { try put { $0.int64 = .max } }
    let query = try all().property(Everything.int64)
    #expect {
      try query.sum()
    } throws: { error in
      guard case ObjectBoxError.unknown(let code, let message) = error else { return false }
      return code == 10004 && message.contains("does not fit")
    }
    #expect(try query.average() == Double(Int64.max))
    #expect(try query.averageInt() == .max)
  }

  @Test func `nothing comes to zero`() throws {
    let query = try all().property(Everything.int)
    #expect(try query.sum() == 0)
    #expect(try query.max() == 0)
    #expect(try query.average() == 0)
    #expect(try query.findUnique() == nil)
    #expect(try all().property(Everything.double).min() == 0)
    #expect(try all().property(Everything.string).findString() == nil)
  }

  @Test func `floating point numbers have their own functions`() throws {
    for value in [1.5, -2, 1.5] {
      try put {
        $0.double = value; $0.float = Float(value)
      }
    }
    let doubles = try all().property(Everything.double)
    #expect(try doubles.sum() == 1)
    #expect(try doubles.max() == 1.5)
    #expect(try doubles.min() == -2)
    #expect(try doubles.average() == 1.0 / 3)
    #expect(try doubles.findDoubles() == [1.5, -2, 1.5])
    #expect(try doubles.distinct().findDoubles() == [1.5, -2])
    let floats = try all().property(Everything.float)
    #expect(try floats.sum() == 1)
    #expect(try floats.max() == 1.5)
    #expect(try floats.findFloats() == [1.5, -2, 1.5])
    #expect(throws: ObjectBoxError.self) { try floats.findUniqueFloat() }
  }

  @Test func `strings are found, the last one alone too, with and without case`() throws {
    for text in ["Ä", "ä", "b", "B", "b"] { try put { $0.string = text } }
    let query = try all().property(Everything.string)
    #expect(try query.findStrings() == ["Ä", "ä", "b", "B", "b"])
    #expect(try query.findString() == "b")
    #expect(try all().property(Everything.string).distinct().findStrings() == ["Ä", "ä", "b", "B"])
    let folded = try all().property(Everything.string).distinct(caseSensitiveCompare: false)
    #expect(try folded.findStrings() == ["Ä", "b"])
    #expect(try folded.count() == 2)
  }

  @Test func `several values where one is asked for violate uniqueness`() throws {
    for text in ["a", "b"] { try put { $0.string = text } }
    #expect {
      try all().property(Everything.string).findUniqueString()
    } throws: { error in
      if case ObjectBoxError.uniqueViolation = error { true } else { false }
    }
    let one = try box.query { .string == "a" }.build().property(Everything.string)
    #expect(try one.findUniqueString() == "a")
  }

  @Test func `nulls are left out unless a value stands for them`() throws {
    try nothings.put([.empty(key: 1), .empty(key: 2)])
    try nothings.put(Nothing.with(key: 3, int64: 7, double: 0.5, string: "x"))
    let query = try nothings.query().build()
    #expect(try query.property(Nothing.int64).count() == 1)
    #expect(try query.property(Nothing.int64).find() == [7])
    let numbers = query.property(Nothing.int64).with(nullValue: 3)
    #expect(try numbers.find() == [3, 3, 7])
    #expect(try numbers.sum() == 13)
    #expect(try numbers.distinct().count() == 2)
    #expect(try query.property(Nothing.double).findDoubles() == [0.5])
    #expect(try query.property(Nothing.double).with(nullValue: -1).count() == 3)
    #expect(try query.property(Nothing.string).findStrings() == ["x"])
    let texts = query.property(Nothing.string).with(nullString: "none")
    #expect(try texts.findStrings() == ["none", "none", "x"])
    #expect(try texts.distinct().count() == 2)
  }

  @Test func `dates are milliseconds or nanoseconds`() throws {
    try put { object in
      object.date = Date(timeIntervalSince1970: 1.5)
      object.precise = Date(timeIntervalSince1970: 1.5)
    }
    #expect(try all().propertyInt64(Everything.date).find() == [1500])
    #expect(try all().propertyInt64(Everything.precise).max() == 1_500_000_000)
    try nothings.put(.empty(key: 1))
    #expect(
      try nothings.query().build().propertyInt64(Nothing.date).with(nullValue: 9).find() == [9]
    )
  }

  @Test func `parameters that are set later count`() throws {
    for value in 1...5 { try put { $0.int = value } }
    let query = try box.query { .int > 3 }.build()
    let values = query.property(Everything.int)
    #expect(try values.find() == [4, 5])
    query.setParameter(Everything.int, to: 4)
    #expect(try values.find() == [5])
  }

  @Test func `Booleans are counted`() throws {
    for value in [true, false, true] { try put { $0.bool = value } }
    #expect(try all().property(Everything.bool).count() == 3)
    #expect(try all().property(Everything.bool).distinct().count() == 2)
  }

  @Test func `a property of another type than the model says is an error`() throws {
    let wrong = Property<Everything, Int, Void>(propertyId: Everything.string.propertyId)
    #expect {
      try all().property(wrong).sum()
    } throws: { error in
      if case ObjectBoxError.propertyTypeMismatch = error { true } else { false }
    }
  }
}

extension Nothing {
  fileprivate static func with(
    key: EntityId<Nothing>,
    int64: Int64,
    double: Double,
    string: String
  ) -> Nothing {
    Nothing(
      key: key,
      bool: nil,
      int8: nil,
      uint8: nil,
      int16: nil,
      uint16: nil,
      int32: nil,
      uint32: nil,
      int64: int64,
      uint64: nil,
      int: nil,
      uint: nil,
      float: nil,
      double: double,
      string: string,
      data: nil,
      date: nil,
      precise: nil,
      strings: nil,
      color: nil
    )
  }
}
