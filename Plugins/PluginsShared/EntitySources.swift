import Foundation
import PackagePlugin

extension SourceModuleTarget {
  /// The target's own Swift sources, sorted by path, without generated files.
  var swiftFiles: [URL] {
    sourceFiles(withSuffix: ".swift").filter { $0.type == .source }.map(\.url)
      .sorted { $0.path < $1.path }
  }

  /// True when a file may declare an entity; only the tool parses the files.
  var mayHaveEntities: Bool { swiftFiles.mayHaveEntities }

  /// Returns how many of the named entities the sources may declare, as a type or by a `name = …`
  /// annotation.
  func declaredCount(of names: [String]) -> Int {
    let texts = swiftFiles.compactMap { try? String(contentsOf: $0, encoding: .utf8) }
    return names.count { name in
      let word = NSRegularExpression.escapedPattern(for: name)
      let pattern = "\\b(class|struct)\\s+`?\(word)\\b|name\\s*=\\s*[\"']?\(word)\\b"
      return texts.contains { text in
        text.contains(name) && text.range(of: pattern, options: .regularExpression) != nil
      }
    }
  }
}

extension [URL] {
  /// True when the text of a file may declare an entity.
  var mayHaveEntities: Bool {
    contains { file in
      guard let text = try? String(contentsOf: file, encoding: .utf8) else { return false }
      return text.contains("objectbox:")
        || text.range(of: "[:,][ \\t]*(ObjectBox\\.)?Entity\\b", options: .regularExpression) != nil
    }
  }
}
