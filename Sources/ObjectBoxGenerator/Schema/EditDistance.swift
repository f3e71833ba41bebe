/// How many single characters must be added, removed or changed to make one word from another.
enum EditDistance {
  static func between(_ a: String, _ b: String) -> Int {
    let b = Array(b)
    var row = Array(0...b.count)
    for (i, left) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, right) in b.enumerated() {
        let substituted = diagonal + (left == right ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substituted, row[j + 1] + 1, row[j] + 1)
      }
    }
    return row[b.count]
  }
}
