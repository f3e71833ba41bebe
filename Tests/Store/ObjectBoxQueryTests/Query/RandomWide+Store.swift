import Foundation
import ObjectBox
import ObjectBoxTestSupport
import Testing

/// The objects of a store of wide objects, and random conditions on them.
extension WideStore {
  /// Puts random objects, and changes, relates and removes some of them.
  ///
  /// - Returns: The objects that are stored at the end.
  func fill(count: Int, _ random: inout SplitMix) throws -> [Wide] {
    var all: [Wide] = []
    try store.runInTransaction {
      for _ in 0..<count {
        let wide = Wide()
        RandomWide.fill(wide, parents: all.suffix(9).map(\._id), &random)
        try box.put(wide)
        all.append(wide)
      }
      for wide in all.shuffled(using: &random).prefix(count / 3) {
        RandomWide.fill(wide, parents: all.prefix(9).map(\._id), &random)
        try box.put(wide)
      }
      let victims = Set(all.shuffled(using: &random).prefix(count / 8).map(\.id))
      try box.remove(victims)
      all.removeAll { victims.contains($0.id) }
      for wide in all where victims.contains(wide.parent.targetId?.value ?? 0) {
        wide.parent.targetId = nil
      }
      for wide in all where Bool.random(using: &random) {
        let friends = Set(all.shuffled(using: &random).prefix(3).map(\.id))
        let relation = ToMany<Wide>.relation(
          sourceId: wide._id,
          targetBox: box,
          relationId: 1
        )
        relation.replace(try box.get(friends.sorted()))
        try relation.applyToDb()
        wide.friendIDs = friends
      }
    }
    return all
  }
}

extension RandomWide {
  /// A condition of several parts.
  static func tree(_ depth: Int, _ last: Id, _ random: inout SplitMix) -> Leaf {
    guard depth > 0, Int.random(in: 0..<3, using: &random) > 0 else {
      return leaf(last: last, &random)
    }
    let left = tree(depth - 1, last, &random)
    let right = tree(depth - 1, last, &random)
    return Bool.random(using: &random)
      ? (left.condition && right.condition, { left.test($0) && right.test($0) })
      : (left.condition || right.condition, { left.test($0) || right.test($0) })
  }

  /// Describes a query for the comment of an expectation.
  static func describe(_ query: Query<Wide>, _ what: String) -> Comment {
    "\(what)\n\(query)\n\((try? query.explain()) ?? "")"
  }
}
