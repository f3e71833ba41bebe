import ObjectBoxFullText
import ObjectBoxTestSupport
import Testing

struct IndexHistoryTests {
  /// Returns a text of up to `limit` words, of which some are in most texts.
  static func text(_ random: inout SplitMix, limit: Int, columns: Int = 1) -> IndexModel.Text {
    var text: IndexModel.Text = []
    for column in 0..<columns {
      var position = UInt32(column) << 24
      for _ in 0..<Int.random(in: 0...limit, using: &random) {
        let rank = Int.random(in: 0..<20, using: &random)
        let range = [0..<2, 2..<20, 20..<500][rank < 6 ? 0 : rank < 14 ? 1 : 2]
        text.append(("w\(Int.random(in: range, using: &random))", position))
        position += rank == 0 ? UInt32.random(in: 1...300, using: &random) : 1
      }
    }
    return text
  }

  @Test(arguments: 0..<TestLength.choose(short: 4, long: 12))
  func `an index has the texts after any history`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    let weights: [UInt8] = seed % 3 == 2 ? [3, 1, 200] : [1]
    let settings = FullTextSettings(weights: weights)
    let model = try IndexModel(settings)
    if seed % 2 == 1 { model.memoryLimit = 20_000 }
    if seed > 1 { model.stepSize = 200 << (seed % 4) }
    let ids: [UInt64] = (0..<400).map { index in
      seed % 2 == 0 ? UInt64(index + 1) : UInt64.random(in: 0 ... .max, using: &random)
    }
    for step in 0..<120 {
      try model.begin()
      let count = Int.random(in: 0..<10, using: &random) == 0 ? 60 : 3
      for _ in 0..<Int.random(in: 1...count, using: &random) {
        let id = random.pick(ids)
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3: try model.remove(id)
        case 3:
          let text = Self.text(&random, limit: 5, columns: weights.count)
          try model.writeAndUndo {
            try model.put(id, text)
            try model.remove(random.pick(ids))
          }
        default: try model.put(id, Self.text(&random, limit: 30, columns: weights.count))
        }
      }
      if step % 40 == 39 { try model.mergeAll() }
      if Int.random(in: 0..<6, using: &random) == 0 {
        try model.abort()
      } else {
        try model.commit()
      }
      if step % 15 == 14 { try model.verify() }
      if step % 50 == 49 { try model.reopen() }
    }
    try model.verify()
    try model.write { try model.mergeAll() }
    try model.verify()
  }
}
