internal import Foundation
internal import ObjectBoxCommandLine

/// The sources and the output in a `.sourcery.yml`.
///
/// Supports the YAML in such files: keys with a text or a list, one level of nested keys, comments
/// and quotes. Paths are relative to the file.
struct ConfigurationFile {
  var sources: [String] = []
  var excludedSources: [String] = []
  var output: String?

  /// A line without its comment and without blanks at its ends.
  private struct Line {
    var number: Int
    var indentation: Int
    var text: String
  }

  /// Reads a file.
  ///
  /// - Throws: A fault that names the file and, for unsupported content, the line.
  init(_ path: String) throws(Arguments.Fault) {
    let text: String
    do {
      text = try String(contentsOfFile: path, encoding: .utf8)
    } catch {
      throw Arguments.Fault(text: "cannot read the configuration '\(path)': \(error)")
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    var key = ""
    var inner = ""
    for line in Self.lines(text) {
      func fault(_ reason: String) -> Arguments.Fault {
        Arguments.Fault(text: "\(path):\(line.number):1: \(reason)")
      }
      var value = line.text
      if !value.hasPrefix("- ") {
        guard let colon = value.firstIndex(of: ":") else {
          throw fault("'\(value)' is neither a key nor an element of a list")
        }
        let name = String(value[..<colon])
        value = value[value.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        if line.indentation == 0 {
          key = name
          inner = ""
        } else {
          inner = name
        }
        if value.isEmpty { continue }
      } else {
        value = value.dropFirst(2).trimmingCharacters(in: .whitespaces)
      }
      for value in Self.elements(value) {
        if value.isEmpty {
          let title = Self.title(key, inner)
          throw fault("the key '\(title)' has an empty path; name a file or folder")
        }
        let full = value.hasPrefix("/") ? value : folder + "/" + value
        switch (key, inner) {
        case ("sources", ""), ("sources", "include"): sources.append(full)
        case ("sources", "exclude"): excludedSources.append(full)
        case ("output", ""), ("output", "path"): output = full
        default:
          throw fault(
            "the key '\(Self.title(key, inner))' is not supported; the file may hold "
              + "'sources' and 'output', all else is an option of the command line"
          )
        }
      }
    }
  }

  private static func title(_ key: String, _ inner: String) -> String {
    inner.isEmpty ? key : key + "." + inner
  }

  private static func lines(_ text: String) -> [Line] {
    var lines: [Line] = []
    // "\r\n" is one Character.
    let all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, raw) in all.enumerated() {
      let hash = raw.range(of: " #")?.lowerBound ?? raw.endIndex
      let text = raw.hasPrefix("#") ? "" : raw[..<hash].trimmingCharacters(in: .whitespaces)
      if text.isEmpty || text == "---" { continue }
      let indentation = raw.prefix { $0 == " " }.count
      lines.append(Line(number: index + 1, indentation: indentation, text: text))
    }
    return lines
  }

  /// Returns the elements of `[a, b]`, or the single text, without quotes.
  private static func elements(_ text: String) -> [String] {
    let isList = text.hasPrefix("[") && text.hasSuffix("]")
    let parts = isList ? text.dropFirst().dropLast().split(separator: ",").map(String.init) : [text]
    return parts.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " \"'")) }
  }
}
