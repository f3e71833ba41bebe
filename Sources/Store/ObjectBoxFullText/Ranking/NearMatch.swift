/// Finds the positions of NEAR's operands that are near each other in a document.
///
/// Follows the rules of SQLite's FTS5: the walk over the positions decides which of them count.
struct NearMatch {
  /// Number of positions that each operand takes.
  let widths: [UInt32]
  let distance: Int
  private var indices: [Int]
  /// The last position of each operand that counted.
  private var counted: [Int64]

  init(widths: [UInt32], distance: Int) {
    self.widths = widths
    self.distance = distance
    indices = Array(repeating: 0, count: widths.count)
    counted = indices.map { _ in -1 }
  }

  /// Passes the operands with positions that count, each position once; `body` is not called if
  /// the document does not match.
  ///
  /// - Complexity: O(*n* · *m*) for *n* positions of *m* operands.
  mutating func forEach(_ operands: [Occurrences], _ body: (Int, UInt32) -> Void) {
    for index in indices.indices {
      indices[index] = 0
      counted[index] = -1
      if operands[index].positions.isEmpty { return }
    }
    var greatest = operands[0].positions[0]
    while true {
      // Advances until all operands are near the greatest position.
      var isNear = false
      while !isNear {
        isNear = true
        for (number, operand) in operands.enumerated() {
          let least = least(number, near: greatest)
          var position = operand.positions[indices[number]]
          guard position < least || position > greatest else { continue }
          isNear = false
          while position < least {
            indices[number] += 1
            guard indices[number] < operand.positions.count else { return }
            position = operand.positions[indices[number]]
          }
          greatest = max(greatest, position)
        }
      }
      var next = 0
      var nextPosition = Int64.max
      for (number, operand) in operands.enumerated() {
        let position = operand.positions[indices[number]]
        if counted[number] != Int64(position) {
          counted[number] = Int64(position)
          body(number, position)
        }
        let following = indices[number] + 1
        guard following < operand.positions.count else { continue }
        if Int64(operand.positions[following]) < nextPosition {
          nextPosition = Int64(operand.positions[following])
          next = number
        }
      }
      indices[next] += 1
      guard indices[next] < operands[next].positions.count else { return }
    }
  }

  /// The least position of an operand that is near a greater one, in the same column.
  private func least(_ number: Int, near greatest: UInt32) -> UInt32 {
    let column = greatest & ~0x00ff_ffff
    let reach = UInt32(clamping: distance).addingReportingOverflow(widths[number])
    let (least, isBelow) = greatest.subtractingReportingOverflow(reach.partialValue)
    return reach.overflow || isBelow ? column : max(column, least)
  }
}
