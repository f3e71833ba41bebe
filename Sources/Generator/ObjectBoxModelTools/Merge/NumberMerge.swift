internal import ObjectBoxGenerator

/// Assigns the small IDs of a merged model, and determines the last ID.
///
/// An element of both sides keeps its ID; a change of the ID by one side is taken. If both sides
/// gave a new element the same ID, the element of ours keeps it. The element of theirs gets the
/// next ID that neither side has used. UIDs never change.
struct NumberMerge {
  /// The IDs of one version, by UID.
  struct Side {
    let numbers: [UInt64: UInt32]
    let last: ModelID

    init(_ ids: [ModelID], _ last: ModelID) {
      numbers = Dictionary(ids.map { ($0.uid, $0.id) }, uniquingKeysWith: { first, _ in first })
      self.last = last
    }
  }

  /// An element that changed its ID against one side.
  struct Move: Hashable {
    var uid: UInt64
    var isOurs: Bool
    var from: UInt32
    var to: UInt32
  }

  private(set) var numbers: [UInt64: UInt32] = [:]
  private(set) var last = ModelID.none
  /// Moves of ours, then of theirs, each sorted by the new ID.
  private(set) var moves: [Move] = []
  /// True when no IDs are left; the other results are then invalid.
  private(set) var isExhausted = false

  private let base: Side
  private let ours: Side
  private let theirs: Side
  private var taken: Set<UInt32> = []

  init(base: Side, ours: Side, theirs: Side, living: Set<UInt64>) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
    let (ordered, ourNumbers) = (order(living), Set(ours.numbers.values))
    var homeless: [UInt64] = []
    // Elements of both sides come first, then elements of ours, then of theirs.
    for sides in [(true, true), (true, false), (false, true)] {
      for uid in ordered {
        let (mine, other) = (ours.numbers[uid], theirs.numbers[uid])
        guard sides == (mine != nil, other != nil), let number = mine ?? other else { continue }
        // Ours may have used this ID for an element that it removed again.
        let isUsedUp =
          mine == nil && number > base.last.id && number <= ours.last.id
          && !ourNumbers.contains(number)
        if isUsedUp {
          homeless.append(uid)
        } else {
          place(
            uid,
            ThreeWay.merge(base.numbers[uid], number, other ?? number) ?? number,
            &homeless
          )
        }
      }
    }
    giveNew(to: homeless)
    findLast()
    noteMoves(of: living)
  }

  private func order(_ uids: Set<UInt64>) -> [UInt64] {
    uids.sorted { left, right in
      let (a, b) = (
        ours.numbers[left] ?? theirs.numbers[left] ?? 0,
        ours.numbers[right] ?? theirs.numbers[right] ?? 0
      )
      return a == b ? left < right : a < b
    }
  }

  private mutating func place(_ uid: UInt64, _ number: UInt32, _ homeless: inout [UInt64]) {
    if taken.insert(number).inserted { numbers[uid] = number } else { homeless.append(uid) }
  }

  private mutating func giveNew(to uids: [UInt64]) {
    var next = max(ours.last.id, theirs.last.id, taken.max() ?? 0)
    for uid in uids {
      guard next < UInt32.max else { return isExhausted = true }
      next += 1
      numbers[uid] = next
    }
  }

  private mutating func findLast() {
    let greatest = max(ours.last.id, theirs.last.id, numbers.values.max() ?? 0)
    let candidates = [ours.last, theirs.last].filter { $0.id == greatest && greatest != 0 }
    guard let winner = numbers.first(where: { $0.value == greatest })?.key ?? candidates.first?.uid
    else { return }
    last = ModelID(id: greatest, uid: winner)
    // Both sides used this ID, and one of the two elements is gone. A store written by that side
    // opens only if the model's last ID is greater.
    guard let other = candidates.first(where: { $0.uid != winner }) else { return }
    guard greatest < UInt32.max else { return isExhausted = true }
    last = ModelID(id: greatest + 1, uid: other.uid)
  }

  private mutating func noteMoves(of living: Set<UInt64>) {
    for (side, isOurs) in [(ours, true), (theirs, false)] {
      let moved = living.compactMap { uid -> Move? in
        guard let from = side.numbers[uid], let to = numbers[uid], from != to else { return nil }
        return Move(uid: uid, isOurs: isOurs, from: from, to: to)
      }
      moves += moved.sorted { $0.to < $1.to }
    }
  }
}
