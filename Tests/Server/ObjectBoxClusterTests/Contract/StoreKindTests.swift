import Foundation
import ObjectBox
import ObjectBoxEncryption
import Testing

@testable import ObjectBoxCluster

/// The kinds of stores that the contract suites run against; a kind that is left out says why.
@Suite(.onAnyStore)
struct StoreKindTests {
  @Test func `the contract holds for plain stores`() async throws {
    let store = try await AnyStore(.embedded)
    #expect(store.embedded?.isEncrypted == false)
    #expect(StoreKind.available.contains(.embedded))
  }

  @Test(.enabled(if: StoreKind.encrypted.isAvailable, StoreKind.lacksEncryption))
  func `the contract holds for encrypted stores`() async throws {
    let store = try await AnyStore(.encrypted)
    #expect(store.embedded?.isEncrypted == true)
    #expect(StoreKind.available.contains(.encrypted))
    try await store.box(Person.self).put(Person(name: "a name in clear text"))
    let folder = try #require(store.embedded?.directoryPath)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(files.contains { $0.hasPrefix("sealed.pages") })
    for file in files {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file)"))
      #expect(bytes.range(of: Data("clear text".utf8)) == nil, "\(file)")
    }
  }

  @Test(.enabled(if: TestServer.isThere, TestServer.reason))
  func `the contract holds for clusters`() async throws {
    let store = try await AnyStore(.cluster)
    #expect(store.embedded == nil && store.cluster != nil)
    #expect(StoreKind.available.contains(.cluster))
  }
}
