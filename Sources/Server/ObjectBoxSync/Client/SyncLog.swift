internal import Foundation
internal import ObjectBox

/// The output of a client on standard error, according to its configuration.
struct SyncLog: Sendable {
  private let hasStates: Bool
  private let flags: SyncFlags

  init(_ configuration: Sync.Configuration) {
    hasStates = configuration.debugLogging
    flags = configuration.flags
  }

  /// Writes a state or an error with `debugLogging`.
  func write(_ text: @autoclosure () -> String) { if hasStates { print(text()) } }

  /// Writes numbers of objects with `debugLogTxLogs`.
  func writeTransactions(_ text: @autoclosure () -> String) {
    if flags.contains(.debugLogTxLogs) { print(text()) }
  }

  /// Writes filter variables with `debugLogFilterVariables`.
  func write(_ variables: [String: String]) {
    guard flags.contains(.debugLogFilterVariables) else { return }
    let texts = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    print("filter variables: \(texts.joined(separator: ", "))")
  }

  private func print(_ text: String) {
    FileHandle.standardError.write(Data("ObjectBox sync client: \(text)\n".utf8))
  }
}
