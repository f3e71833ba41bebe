import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Searches for parts of texts with long repeats, which end at almost every place but not quite.
struct RepeatedTextTests {
  private struct Words {
    var random: SplitMix
    let letters: [String]

    /// Returns a text of a few letters, each many times.
    mutating func text() -> String {
      (0..<Int.random(in: 1...6, using: &random)).map { _ in
        String(repeating: random.pick(letters), count: random.pick([1, 2, 5, 100, 600]))
      }.joined()
    }

    /// Returns a part of a text, at times with another letter or in another case.
    mutating func part(of text: String) -> String {
      let start = Int.random(in: 0..<text.count, using: &random)
      var part = Array(text.dropFirst(start).prefix(random.pick([3, 80, 400])))
      if random.pick([true, false]) {
        part[Int.random(in: 0..<part.count, using: &random)] = "b"
      }
      return random.pick([String(part), String(part).uppercased()])
    }
  }

  @Test(arguments: [["a"], ["a", "b"], ["ä", "a"], ["😀", "a", "ß"]])
  func `contains finds the parts that a plain search finds`(_ letters: [String]) throws {
    let world = try SampleStore(SampleStore.Indexes())
    var words = Words(random: SplitMix(seed: letters.count), letters: letters)
    let texts = (0..<40).map { _ in words.text() }
    try world.samples.put(
      texts.map {
        let sample = Sample()
        sample.text = $0
        return sample
      }
    )
    let exact = try world.samples.query { Sample.text.contains("") }.build()
    let folded = try world.samples.query { Sample.text.contains("", caseSensitive: false) }.build()
    func places(_ isFound: (String) -> Bool) -> [Id] {
      texts.indices.filter { isFound(texts[$0]) }.map { Id($0 + 1) }
    }
    for _ in 0..<TestLength.choose(short: 20, long: 200) {
      let part = words.part(of: words.random.pick(texts))
      exact.setParameter(Sample.text, to: part)
      folded.setParameter(Sample.text, to: part)
      let bytes = Array(part.utf8)
      #expect(try exact.findIds().map(\.value) == places { Array($0.utf8).contains(bytes) })
      let lower = part.lowercased()
      let isFound = places { $0.lowercased().contains(lower) }
      #expect(try folded.findIds().map(\.value) == isFound)
    }
  }
}
