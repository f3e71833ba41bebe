import Foundation
import ObjectBox
import ObjectBoxEncryption
import ObjectBoxTestSupport
import Testing

/// The kinds of stores that fulfil the contract.
enum StoreKind: CaseIterable, Sendable {
  /// A store in memory.
  case embedded
  /// An encrypted store in a folder.
  case encrypted
  case cluster

  /// The kinds that this run can open, as arguments of tests.
  static let available = allCases.filter(\.isAvailable)

  /// Why encrypted stores are not among the kinds.
  static let lacksEncryption: Comment =
    "encrypted stores need Linux, and a build with libsodium; install libsodium-dev"

  var isAvailable: Bool {
    switch self {
    case .embedded: true
    case .encrypted:
      #if os(Linux) && OBJECTBOX_SODIUM
        true
      #else
        false
      #endif
    case .cluster: TestServer.isThere
    }
  }

  /// Opens an encrypted store in the folder of the running test.
  static func encryptedStore() throws -> Store {
    let folder = try #require(OnAnyStore.folder, "the suite needs the trait '.onAnyStore'")
    var configuration = Store.Configuration(directory: "\(folder.path)/\(UUID().uuidString)")
    // Not a passphrase, whose derivation would take longer than most tests.
    var encryption = StoreEncryption.key((0..<StoreEncryption.keySize).map { UInt8($0) })
    // A small log: stores are made in less time, and more commits write a head.
    encryption.newLogBlocks = 64
    encryption.showsValuesInErrors = true
    configuration.encryption = encryption
    return try Store(configuration: configuration)
  }
}

/// Gives each test a folder for its encrypted stores, and limits how many tests run at once.
///
/// The limit is that of the server. Each encrypted store locks memory, of which a process has
/// little.
struct OnAnyStore: SuiteTrait, TestTrait, TestScoping {
  @TaskLocal static var folder: TemporaryDirectory?

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    try await Self.$folder.withValue(try TemporaryDirectory()) {
      try await OnServer().provideScope(for: test, testCase: testCase, performing: function)
    }
  }
}

extension Trait where Self == OnAnyStore {
  static var onAnyStore: Self { OnAnyStore() }
}
