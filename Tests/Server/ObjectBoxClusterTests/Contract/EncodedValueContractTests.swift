import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// The contract of UUIDs, decimals and URLs as parameters, for embedded stores and clusters.
@Suite(.onAnyStore)
struct EncodedValueContractTests {
  private static func uuid(_ first: UInt8) -> UUID {
    UUID(uuid: (first, 0, 0, 0, 0, 0, 64, 0, 128, 0, 0, 0, 0, 0, 0, 7))
  }

  private static func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  /// Objects 1 to 3 with ascending values, and 4 with null.
  private func box(_ kind: StoreKind) async throws -> AnyBox<Everything> {
    let box = try await AnyStore(kind).box(Everything.self)
    let prices = ["-12.50", "0", "100.05"].map { Decimal(string: $0) }
    let objects = try (0..<3).map { number in
      let object = Everything()
      object.uuid = Self.uuid(UInt8(number * 100))
      object.price = prices[number]
      object.link = try Self.url("https://example.org/\(number)")
      return object
    }
    try await box.put(objects + [Everything()])
    return box
  }

  @Test(arguments: StoreKind.available)
  func `UUIDs are set as parameters`(_ kind: StoreKind) async throws {
    let box = try await box(kind)
    let (a, b, c) = (Self.uuid(0), Self.uuid(100), Self.uuid(200))
    var query = try box.query("who" .= Everything.uuid == a).build()
    query.setParameter(Everything.uuid, to: c)
    #expect(try await query.ids() == [3])
    query.setParameter("who", to: b)
    #expect(try await query.ids() == [2])
    var some = try box.query("some" .= Everything.uuid.isIn([a])).build()
    some.setParameters("some", to: [b, c])
    #expect(try await some.ids() == [2, 3])
    some.setParameters(Everything.uuid, to: [a, b])
    #expect(try await some.ids() == [1, 2])
    #expect(try await some.values(Everything.uuid).findUUIDs() == [a, b])
    #expect(try await query.values(Everything.uuid).findUniqueUUID() == b)
  }

  @Test(arguments: StoreKind.available)
  func `decimals are set as parameters, and for null`(
    _ kind: StoreKind
  ) async throws {
    let box = try await box(kind)
    var query = try box.query("limit" .= Everything.price > 1_000).build()
    query.setParameter("limit", to: Decimal(-13))
    #expect(try await query.ids() == [1, 2, 3])
    query.setParameter(Everything.price, to: Decimal(50))
    #expect(try await query.values(Everything.price).findUnique() == Decimal(string: "100.05"))
    var between = try box.query(Everything.price.isBetween(5, and: 6)).build()
    between.setParameters(Everything.price, to: Decimal(0), Decimal(-13))
    #expect(try await between.ids() == [1, 2])
    #expect(try await between.values(Everything.price).average() == Decimal(string: "-6.25"))
    let withNull = try box.query().build().values(Everything.price).with(nullValue: 1)
    #expect(try await withNull.sum() == Decimal(string: "88.55"))
    #expect(try await withNull.count() == 4)
  }

  @Test(arguments: StoreKind.available)
  func `URLs are set as parameters`(_ kind: StoreKind) async throws {
    let box = try await box(kind)
    let one = try Self.url("https://example.org/1")
    var query = try box.query(Everything.link == one).build()
    query.setParameter(Everything.link, to: try Self.url("https://example.org/2"))
    #expect(try await query.ids() == [3])
    let texts = try await query.values(Everything.link).find()
    #expect(texts.map(\.absoluteString) == ["https://example.org/2"])
  }
}
