import Foundation
import ObjectBox

extension StoreFixture {
  /// All fixture models by name.
  package static let all = Dictionary(
    uniqueKeysWithValues: [
      types, relations, named, vectors, compound, decimals, layouts, retired, words, recentWords,
      youngWords, splitWords,
    ].map { ($0.model, $0) }
  )

  // MARK: Types

  private static let types = StoreFixture(
    model: "types",
    steps: [Step(entities: [SampleEntity.self], lastIndex: 27) { try fillTypes($0) }]
  )

  private static func fillTypes(_ store: Store) throws {
    let long = String(repeating: "0123456789", count: 48)
    try store.put(
      SampleEntity.self,
      [
        1: [:],
        2: [
          "bool": true, "byte": -5, "ubyte": 200, "short": -300, "ushort": 40000, "char": 65,
          "int": -70000, "uint": 3_000_000_000, "long": -5_000_000_000, "ulong": 5_000_000_000,
          "float": "1.5", "double": "0.1", "text": "Grüße, 世界", "hashed": "objectbox",
          "hashed64": "objectbox", "folded": "Straße ÄÖÜ", "foldedHash": "Ωμέγα", "code": "A-1",
          "date": 1_700_000_000_123, "dateNano": 1_700_000_000_123_456_789, "bytes": "00ff80",
          "uuid": "0F8FAD5B-D9CB-469F-A165-70867728950E", "flex": "2a0001",
          "ints": [1, -2, 2_147_483_647], "longs": [1, -2, 9_223_372_036_854_775_807],
          "floats": ["1.5", "-0.25", "nan"], "texts": ["a", "", "世界"], "boolVector": "0100",
          "shortVector": "0100ffff", "charVector": "4100", "doubleVector": "000000000000f03f",
          "dateVector": "7b00000000000000", "dateNanoVector": "7b00000000000000",
          "intHash": -70000, "doubleHash": "0.1", "skipNull": 7, "skipZero": 7, "replaced": 7,
          "plain": "plain", "unknown": -1,
        ],
        3: [
          "bool": false, "byte": 0, "ubyte": 0, "short": 0, "ushort": 0, "char": 0, "int": 0,
          "uint": 0, "long": 0, "ulong": 0, "float": "0.0", "double": "0.0", "text": "",
          "hashed": "", "hashed64": "", "folded": "", "foldedHash": "", "code": "", "date": 0,
          "dateNano": 0, "bytes": "", "uuid": "00000000-0000-0000-0000-000000000000", "flex": "",
          "ints": [], "longs": [], "floats": [], "texts": [], "intHash": 0, "doubleHash": "0.0",
          "skipNull": 0, "skipZero": 0, "replaced": 0, "plain": "", "unknown": 0,
        ],
        4: [
          "byte": -128, "ubyte": 255, "short": -32768, "ushort": 65535, "char": -1,
          "int": -2_147_483_648, "uint": 4_294_967_295, "long": JSON(Int64.min),
          "ulong": JSON(UInt64.max), "float": "-0.0", "double": "-0.0", "date": -1,
          "dateNano": JSON(Int64.min), "doubleHash": "-0.0",
          "uuid": "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", "texts": [""],
        ],
        5: [
          "byte": 127, "short": 32767, "int": 2_147_483_647, "long": JSON(Int64.max),
          "float": "nan", "double": "nan", "doubleHash": "nan", "dateNano": JSON(Int64.max),
          "text": .text(long), "code": "A-2",
        ],
        6: [
          "float": "inf", "double": "inf", "text": .text(long + "!"), "folded": .text(long + "!"),
          "bytes": .text(String(repeating: "61", count: 500)), "plain": .text(long + long),
        ],
        7: ["float": "-inf", "double": "-inf", "text": .text(long + "?"), "folded": "STRASSE äöü"],
        8: [
          "float": "1e-45", "double": "5e-324", "text": "a\u{0}b", "folded": "STRAßE ÄÖÜ",
          "foldedHash": "ΩΜΈΓΑ", "hashed": "objectbox",
        ],
        1000: ["float": "-2.5", "double": "-123456.789", "text": "a"],
        1_099_511_627_777: ["text": "b", "int": -70000],
      ]
    )
  }

  // MARK: Relations

  private static let relations = StoreFixture(
    model: "relations",
    steps: [
      Step(
        entities: [AuthorEntity.self, BookEntity.self, TopicEntity.self],
        lastIndex: 2,
        lastRelation: 2
      ) { try fillRelations($0) }
    ]
  )

  private static func fillRelations(_ store: Store) throws {
    try store.put(AuthorEntity.self, (1...4).map { ["name": .text("author \($0)")] })
    try store.put(TopicEntity.self, (1...9).map { ["name": .text("topic \($0)")] })
    try store.put(
      BookEntity.self,
      [
        ["title": "one", "author": 1, "editor": 2], ["title": "two", "author": 1, "sequel": 1],
        ["title": "three", "author": 2, "editor": 2], ["title": "four", "author": 4],
        ["title": "five", "author": 0, "editor": 0], ["title": "six", "sequel": 6],
        ["title": "seven", "author": 4, "sequel": 3], ["title": "eight", "author": 4],
      ]
    )
    try store.relate(1, BookEntity.self, 1, to: TopicEntity.self, [1, 2, 3])
    try store.relate(1, BookEntity.self, 3, to: TopicEntity.self, [3, 1])
    try store.relate(1, BookEntity.self, 4, to: TopicEntity.self, [1])
    try store.relate(2, AuthorEntity.self, 2, to: TopicEntity.self, [5])
    try store.relate(2, AuthorEntity.self, 4, to: TopicEntity.self, [8, 9])
    // Also removes the author's books and topics.
    try store.remove(AuthorEntity.self, [4])
    try store.remove(AuthorEntity.self, [3])
  }

  private static let named = StoreFixture(
    model: "named",
    steps: [
      Step(entities: [PersonWithFriendsEntity.self], lastRelation: 2) { store in
        try store.put(PersonWithFriendsEntity.self, ["a", "b", "c"].map { ["name": $0] })
        try store.relate(
          2,
          PersonWithFriendsEntity.self,
          1,
          to: PersonWithFriendsEntity.self,
          [2, 3]
        )
      }
    ]
  )

  // MARK: Vectors

  private static let vectors = StoreFixture(
    model: "vectors",
    steps: [
      Step(entities: [PlaceEntity.self], lastIndex: 5) { try fillVectors($0) }
    ]
  )

  private static func fillVectors(_ store: Store) throws {
    func number(_ seed: Int, _ range: Int) -> JSON {
      .text("\(Float((seed * 7919 + seed * seed * 31) % range - range / 2) / 4)")
    }
    try store.put(
      PlaceEntity.self,
      (1...64).map { place in
        let three: JSON = [number(place, 97), number(place + 100, 89), number(place + 200, 83)]
        var values: [String: JSON] = [
          "cosine": three, "dotProduct": three, "product": three,
          "geo": [number(place, 701), number(place + 300, 1433)],
        ]
        if place % 10 != 0 { values["euclidean"] = three }
        return values
      }
    )
    try store.remove(PlaceEntity.self, [3, 7, 33, 64])
  }

  // MARK: Indexes over several properties

  private static let compound = StoreFixture(
    model: "compound",
    steps: [
      Step(entities: [PersonEntity.self], lastIndex: 6) { try fillCompound($0) }
    ]
  )

  private static func fillCompound(_ store: Store) throws {
    let long = String(repeating: "x", count: 500)
    try store.put(
      PersonEntity.self,
      [
        [:],
        [
          "email": "Ada@Example.org", "tenant": 1, "last": "Lovelace", "first": "Ada",
          "score": "1.5", "year": 1815, "key": "00ff", "active": true,
        ],
        [
          "email": "ada@example.ORG", "tenant": 2, "last": "Lovelace", "first": "Ann",
          "score": "-1.5", "year": 1815, "key": "00", "boss": 2, "active": false,
        ],
        ["email": "ada@example.org", "last": "Love", "first": "lace", "boss": 2, "key": ""],
        ["tenant": 4_000_000_000, "last": "", "first": "", "score": "nan", "year": -5, "boss": 0],
        ["last": .text(long), "first": "a", "score": "-0.0", "year": 0],
        ["last": .text(long), "first": "b", "score": "0.0", "year": 0, "active": true],
        ["email": "ÄÖ\u{0}ß", "tenant": 0, "last": "a\u{0}b", "first": "c", "score": "inf"],
      ]
    )
  }

  // MARK: Layouts

  private static let layouts = StoreFixture(
    model: "layouts",
    steps: [
      Step(entities: [ItemEntity1.self]) { store in
        try store.put(
          ItemEntity1.self,
          [
            [
              "title": "First", "count": 1, "data": "0102", "score": "0.5", "flag": 1,
            ],
            ["title": "second", "count": -1], ["title": "third", "data": ""], [:],
          ]
        )
      },
      Step(entities: [ItemEntity2.self], lastIndex: 1) { store in
        try store.put(
          ItemEntity2.self,
          [
            [
              "title": "FIFTH", "count": 5, "data": "05", "score": "5.5", "flag": 5, "note": "five",
              "when": 1_700_000_000_005,
            ],
            ["note": "six"],
          ]
        )
      },
      Step(entities: [ItemEntity3.self], lastIndex: 2) { store in
        try store.put(
          ItemEntity3.self,
          [
            [
              "title": "seventh", "count": 7, "data": "07", "flag": 7, "note": "seven",
              "when": 1_700_000_000_007,
            ],
            ["title": "eighth"],
          ]
        )
      },
      Step(entities: [ItemEntity4.self], lastIndex: 4) { store in
        try store.put(
          ItemEntity4.self,
          [
            [
              "title": "ninth", "count": 9, "data": "09", "flag": -9, "when": 1_700_000_000_009,
              "note": "9.25", "tags": ["a", "b"], "big": JSON(UInt64.max),
            ],
            ["tags": []],
          ]
        )
        try store.put(
          ItemEntity4.self,
          [2: ["title": "second again", "count": -2, "when": -2, "note": "-2.0"]]
        )
        try store.remove(ItemEntity4.self, [3, 10])
      },
    ]
  )

  // MARK: Retired data

  package static let retired = StoreFixture(
    model: "retired",
    steps: [
      Step(
        entities: [RoomEntity.self, ShelfEntity.self, ToolEntity.self],
        lastIndex: 1,
        lastRelation: 2
      ) { store in
        try store.put(
          RoomEntity.self,
          [
            ["name": "hall", "area": "60.5"], ["name": "attic"],
            ["name": "cellar", "area": "9.25"],
          ]
        )
        try store.put(ShelfEntity.self, [["label": "A"], ["label": "B"]])
        try store.put(ToolEntity.self, [["name": "saw", "weight": 750], ["name": "awl"]])
        try store.relate(1, ShelfEntity.self, 1, to: RoomEntity.self, [1, 2])
        try store.relate(2, ShelfEntity.self, 2, to: RoomEntity.self, [1])
        try store.remove(RoomEntity.self, [3])
      },
      // An element's ID can be reused only after the element is retired.
      Step(entities: [PlainToolEntity.self], lastIndex: 1, lastRelation: 2) { store in
        try store.put(PlainToolEntity.self, [["name": "vice"]])
      },
      Step(
        entities: [CrateEntity.self, LaterToolEntity.self],
        lastIndex: 1,
        lastRelation: 2
      ) { store in
        try store.put(CrateEntity.self, [["code": 17], [:]])
        try store.put(LaterToolEntity.self, [["name": "axe", "price": 39]])
        try store.relate(1, LaterToolEntity.self, 4, to: CrateEntity.self, [2])
      },
    ]
  )
}
