import ObjectBox
import Testing

@Suite(.onAnyStore)
struct DeepConditionTests {
  /// Returns a condition of alternating operators, which the reading 2 alone meets from the first on.
  private static func alternating(_ depth: Int) -> QueryCondition<QueryReading> {
    var condition: QueryCondition<QueryReading> = QueryReading.aLong == 2
    for place in 1...depth {
      let number = Int64(100 + place)
      condition =
        place % 2 == 0
        ? condition && QueryReading.aLong != number : condition || QueryReading.aLong == number
    }
    return condition
  }

  @Test(arguments: StoreKind.available)
  func `conditions may be deep, but not too deep`(kind: StoreKind) async throws {
    let readings = try await ContractReadings(kind)
    #expect(try await readings.ids(Self.alternating(100)) == [2])
    let deeper = Self.alternating(10_000)
    await #expect {
      try await readings.ids(deeper)
    } throws: { error in
      "\(error)".contains("more than 100 '&&' and '||' in each other")
    }
  }
}
