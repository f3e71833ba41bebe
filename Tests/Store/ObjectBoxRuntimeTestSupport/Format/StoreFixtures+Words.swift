package import ObjectBox

extension StoreFixture {
  /// Full-text indexes with runs of all forms: of one object, small ones, and such with postings in
  /// blocks; changed and removed objects; sparse IDs.
  static let words = StoreFixture(
    model: "words",
    steps: [
      Step(entities: [PassageEntity.self], lastIndex: 2) { store in
        let ids = Array(1...200) + (201...410).map { 7 * $0 }
        try store.put(PassageEntity.self, passages(ids))
      },
      Step(entities: [PassageEntity.self], lastIndex: 2) { store in
        try store.put(PassageEntity.self, passages(stride(from: 3, to: 200, by: 5).map { $0 }, 1))
        try store.remove(PassageEntity.self, [1, 2, 77, 1407, 2870])
      },
      Step(entities: [PassageEntity.self], lastIndex: 2) { store in
        try store.put(
          PassageEntity.self,
          [
            9: [:], 14: ["title": "", "text": ""], 21: ["text": "Grüße, 世界! Ångström's 3.14"],
            1 << 33: ["title": "alone", "text": "alone alone alone"],
          ]
        )
      },
    ]
  )

  /// Full-text indexes with a young run: puts, a change and removals after a run of its own, also of
  /// objects of the young run.
  static let recentWords = StoreFixture(
    model: "recent-words",
    steps: [
      Step(entities: [PassageEntity.self], lastIndex: 2) { store in
        try store.put(PassageEntity.self, passages(Array(1...80)))
      },
      Step(entities: [PassageEntity.self], lastIndex: 2) { store in
        try store.put(PassageEntity.self, passages([90, 95, 100]))
      },
      Step(entities: [PassageEntity.self], lastIndex: 2) { store in
        try store.put(PassageEntity.self, passages([7, 95], 1))
        try store.remove(PassageEntity.self, [5, 100])
      },
    ]
  )

  /// Full-text indexes with several young runs: a put, a change and a removal, each of them a
  /// transaction of its own.
  static let youngWords = StoreFixture(
    model: "young-words",
    steps: [
      Step(entities: [PassageEntity.self], lastIndex: 2) { store in
        try store.put(PassageEntity.self, passages(Array(1...80)))
        try store.put(PassageEntity.self, passages([90, 95]))
        try store.put(PassageEntity.self, passages([7, 95], 1))
        try store.remove(PassageEntity.self, [5])
      }
    ]
  )

  /// Full-text indexes of texts with colons, and with Katakana in all of its forms.
  static let splitWords = StoreFixture(
    model: "split-words",
    steps: [
      Step(entities: [PassageEntity.self], lastIndex: 2) { store in
        try store.put(PassageEntity.self, passages([3, 4]))
        try store.put(
          PassageEntity.self,
          [
            10: ["title": "TODO:fix", "text": "EU:s 10:30"],
            11: ["title": "ハンバーガー", "text": "ﾊﾝﾊﾞｰｶﾞｰ、東京タワー"],
            12: ["title": "5㍍", "text": "ｶﾞラス㌔"],
          ]
        )
      }
    ]
  )

  private static let vocabulary = [
    "amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "haven", "inlet", "jetty",
    "knoll", "larch", "maple", "north", "ocean", "plain", "quarry", "ridge", "shore", "thorn",
  ]

  /// Returns texts of words that follow from the IDs.
  private static func passages(_ ids: [Int], _ version: Int = 0) -> [Id: [String: JSON]] {
    let passages = ids.map { id -> (Id, [String: JSON]) in
      func word(_ place: Int) -> String {
        vocabulary[(id * (place + 3) + place * place + version) % vocabulary.count]
      }
      let text = "the \(word(0)) and the \(word(1)) " + (id % 3 == 0 ? word(2) : "number\(id)")
      return (Id(id), ["title": .text(word(3)), "text": .text(text)])
    }
    return Dictionary(uniqueKeysWithValues: passages)
  }
}

/// Texts with an index of their own, and one together with titles.
package enum PassageEntity: FixtureEntity {
  package static let info = EntityInfo(name: "Passage", id: 1)
  package static let properties = [
    FixtureProperty(id: 1, name: "id", type: .long, flags: [.id, .idSelfAssignable]),
    FixtureProperty(id: 2, name: "title", type: .string),
    FixtureProperty(id: 3, name: "text", type: .string),
  ]
  package static let fullTextIndexes = [
    FixtureFullTextIndex(id: 1, properties: [3], prefixLengths: [2], keepsDiacritics: true),
    FixtureFullTextIndex(id: 2, name: "words", properties: [2, 3], weights: [3, 1]),
  ]
}
