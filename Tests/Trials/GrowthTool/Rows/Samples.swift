import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport

/// Stores of samples, filled in one transaction.
enum Samples {
  /// The forms of numbers that real data has.
  enum Form: String, CaseIterable {
    case ascending, descending, equal

    func number(_ place: Int, of count: Int) -> Int {
      switch self {
      case .ascending: place
      case .descending: count - place
      case .equal: 7
      }
    }
  }

  static let few = SampleStore.Indexes(number: [.indexed], text: [.indexed])

  static func make(_ count: Int, _ fill: (Int, Sample) -> Void) -> [Sample] {
    (0..<count).map { place in
      let sample = Sample()
      fill(place, sample)
      return sample
    }
  }

  static func store(
    _ count: Int,
    _ indexes: SampleStore.Indexes = few,
    _ fill: (Int, Sample) -> Void
  ) throws -> SampleStore {
    let store = try SampleStore(indexes)
    try store.samples.put(make(count, fill))
    return store
  }

  /// A text of 600 letters that differs from others at its end only.
  static func longText(_ place: Int) -> String { String(repeating: "a", count: 600) + "\(place)" }
}
