internal import Foundation
internal import ObjectBoxJSON

/// Collects the faults of a configuration file while its values are read.
final class ConfigurationReader {
  /// The faults so far, in the order of reading.
  private(set) var faults: [LineFault] = []
  /// The path of the file; relative paths in it begin at its folder.
  let path: String

  /// Reads a file.
  ///
  /// - Parameter path: The path of the file.
  /// - Returns: The reader, and the file's value.
  /// - Throws: ``SystemFault`` when the file cannot be read; ``LineFault`` when it is no JSON.
  static func read(_ path: String) throws -> (ConfigurationReader, JSONValue) {
    var bytes: [UInt8] = []
    let lines = try InputLines(path)
    while let line = try lines.next() { bytes += line + [UInt8(ascii: "\n")] }
    let start = JSONPlace(path: path, line: 1, column: 1)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw LineFault("the configuration is not UTF-8; save it as such", at: start)
    }
    do {
      let reader = ConfigurationReader(path: path)
      return (reader, try JSONParser.parse(text, path: path))
    } catch {
      throw LineFault("the configuration is no JSON: \(error.text)", at: error.place)
    }
  }

  private init(path: String) {
    self.path = path
  }

  /// Notes a fault of a value.
  func note(_ text: String, at place: JSONPlace) { faults.append(LineFault(text, at: place)) }

  /// Returns the location of a file that the configuration names.
  func location(of path: String) -> URL {
    let folder = URL(fileURLWithPath: self.path).deletingLastPathComponent()
    return URL(fileURLWithPath: path, relativeTo: folder)
  }

  /// Returns the content of a file; notes a fault when it cannot be read.
  func content(of path: String, _ title: String, at place: JSONPlace) -> String? {
    let url = location(of: path)
    do {
      return String(decoding: try Data(contentsOf: url), as: UTF8.self)
    } catch {
      note(
        "\(title) names '\(url.path)', which cannot be read: \(error.localizedDescription)",
        at: place
      )
      return nil
    }
  }

  /// Returns the value of an environment variable; notes a fault when it is missing.
  func variable(_ name: String, _ title: String, at place: JSONPlace) -> String? {
    if let value = ProcessInfo.processInfo.environment[name], !value.isEmpty { return value }
    note("\(title) names the environment variable '\(name)', which is not set; set it", at: place)
    return nil
  }
}

/// An object of a configuration file, with the keys that it may have.
struct ConfigurationSection {
  let reader: ConfigurationReader
  /// The name in messages, such as `listen`; empty for the whole file.
  let name: String
  let value: JSONValue

  /// Reads an object, and notes unknown keys; nil for another value, which is noted.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - name: The name in messages; empty for the whole file.
  ///   - keys: The known keys; nil for any.
  ///   - reader: The reader of the file.
  init?(_ value: JSONValue, _ name: String, keys: [String]?, _ reader: ConfigurationReader) {
    self.reader = reader
    self.name = name
    self.value = value
    guard case .object(let members) = value.content else {
      let title = name.isEmpty ? "the configuration" : "'\(name)'"
      reader.note("\(title) is \(value.kind), and an object is expected", at: value.place)
      return nil
    }
    guard let keys else { return }
    for (key, member) in members where !keys.contains(key) {
      let owner = name.isEmpty ? "a configuration" : "'\(name)'"
      reader.note(
        "\(owner) has no '\(key)'; use \(keys.map { "'\($0)'" }.joined(separator: ", "))",
        at: member.keyPlace ?? member.place
      )
    }
  }

  /// Returns the name of a key in messages, in quotes.
  func title(_ key: String) -> String { "'\(name.isEmpty ? key : "\(name).\(key)")'" }

  /// Returns a section; nil when it is missing or no object, which is noted.
  func section(_ key: String, keys: [String]?) -> ConfigurationSection? {
    value[key].flatMap {
      Self($0, name.isEmpty ? key : "\(name).\(key)", keys: keys, reader)
    }
  }

  /// Returns a text; nil when it is missing or no text, which is noted.
  func text(_ key: String) -> String? {
    guard let value = value[key] else { return nil }
    if let text = value.string, !text.isEmpty { return text }
    reader.note("\(title(key)) is \(value.kind), and a text is expected", at: value.place)
    return nil
  }

  /// Returns a number; nil when it is missing or not in the range, which is noted.
  func number(_ key: String, _ range: ClosedRange<Int>) -> Int? {
    guard let value = value[key] else { return nil }
    if let number = value.integer(Int.self), range.contains(number) { return number }
    let upper = range.upperBound == .max ? "" : " to \(range.upperBound)"
    reader.note(
      "\(title(key)) is \(value.kind), and a whole number from \(range.lowerBound)\(upper) is expected",
      at: value.place
    )
    return nil
  }

  /// Returns the path of a file; nil when it is missing or cannot be read, which is noted.
  func path(_ key: String) -> String? {
    guard let path = text(key), let value = value[key] else { return nil }
    guard reader.content(of: path, title(key), at: value.place) != nil else { return nil }
    return reader.location(of: path).path
  }

  /// Returns a secret from the file or the environment variable that the section names.
  ///
  /// - Parameter key: The name of the secret: `secret` reads `secretFile` or `secretVariable`.
  /// - Returns: The secret without the line feed at its end; nil without one. A secret that cannot be
  ///   read, and one that stands in the configuration, is noted.
  func secret(_ key: String) -> String? {
    let (file, variable) = (key + "File", key + "Variable")
    if let value = value[file], self.value[variable] != nil {
      reader.note("\(title(file)) and \(title(variable)) exclude each other", at: value.place)
      return nil
    }
    if let path = text(file), let value = value[file] {
      var content = reader.content(of: path, title(file), at: value.place)
      if content?.last?.isNewline ?? false { content?.removeLast() }
      return content
    }
    if let name = text(variable), let value = value[variable] {
      return reader.variable(name, title(variable), at: value.place)
    }
    return nil
  }
}
