import Foundation

/// The server and the user of a device; a file beside the store.
struct Account: Codable {
  var url: String
  var name: String
  var password: String

  private static func file(in folder: String) -> URL {
    URL(fileURLWithPath: folder).appendingPathComponent("account.json")
  }

  /// Returns the account of a device; nil before the first `join`.
  static func read(from folder: String) throws -> Account? {
    let file = file(in: folder)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try JSONDecoder().decode(Account.self, from: Data(contentsOf: file))
  }

  func write(to folder: String) throws {
    let file = Self.file(in: folder)
    try JSONEncoder().encode(self).write(to: file, options: .atomic)
    // The password is for the owner only.
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
  }
}
