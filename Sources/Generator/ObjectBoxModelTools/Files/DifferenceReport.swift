internal import Foundation
package import ObjectBoxGenerator

/// Formats differences of models as text for people or as JSON for programs.
package enum DifferenceReport {
  package enum Format: String, CaseIterable, Sendable {
    case text, json
  }

  private struct Document: Encodable {
    var differences: [ModelDifference]
  }

  /// Returns the report, which ends with a line feed.
  ///
  /// JSON is one object with the list `differences`. UIDs in it are strings.
  package static func text(_ differences: [ModelDifference], as format: Format) throws -> String {
    switch format {
    case .text: return text(differences)
    case .json:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let data = try encoder.encode(Document(differences: differences))
      return String(decoding: data, as: UTF8.self) + "\n"
    }
  }

  private static func text(_ differences: [ModelDifference]) -> String {
    guard !differences.isEmpty else { return "the models say the same\n" }
    let blocks = differences.map { difference in
      "\(difference.mark) \(difference.text)\n    data: \(difference.effect)\n"
    }
    let count = differences.count.counted("difference", "differences")
    return blocks.joined() + count + "\n"
  }
}
