import Foundation
import ObjectBoxGenerator
import ObjectBoxModelTools
import Testing

/// The model with which merge tests start.
enum MergeSample {
  static let base = """
    entity 1:1000 Note
    property 1:2000 id long flags 1
    property 2:2001 title string
    entity 2:1001 Author
    property 1:2100 id long flags 1
    property 2:2101 name string
    """

  /// Returns the sample with a replaced text.
  static func edit(_ old: String, _ new: String) -> String {
    #expect(base.contains(old))
    return base.replacingOccurrences(of: old, with: new)
  }

  static func merge(
    _ ours: String,
    _ theirs: String,
    base: String = MergeSample.base
  ) throws -> ModelMerge.Result {
    let ours = try model(ours)
    return ModelMerge.merge(
      base: try model(base),
      ours: ours,
      theirs: try model(theirs),
      places: ElementPlaces(text: ours.text, path: "model.json")
    )
  }
}
