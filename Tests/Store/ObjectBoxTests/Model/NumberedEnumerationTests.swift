import ObjectBox
import Testing

struct NumberedEnumerationTests {
  /// All cases, found by trying the numbers up to 1000 and all single bits.
  private func cases<E: NumberedEnumeration>(_ type: E.Type) -> [E] {
    let bits = (10..<E.RawValue.bitWidth).map { E.RawValue(1) << E.RawValue($0) }
    return ((0...1000).map { E.RawValue($0) } + bits).compactMap { E(rawValue: $0) }
  }

  private func check<E: NumberedEnumeration>(_ type: E.Type, count: Int, bytes: Int) {
    let numbers = cases(type).map(\.value)
    #expect(Set(numbers).count == count, "\(type)")
    #expect(numbers.min() == E.min.value && numbers.max() == E.max.value, "\(type)")
    #expect(E.byteSize == bytes && MemoryLayout<E.T>.size == bytes, "\(type)")
  }

  @Test func `every enumeration knows its limits and the size of its numbers`() {
    check(PropertyType.self, count: 25, bytes: 2)
    check(PropertyFlags.self, count: 20, bytes: 4)
    check(EntityFlags.self, count: 5, bytes: 4)
    check(PutMode.self, count: 3, bytes: 4)
    check(OrderFlags.self, count: 5, bytes: 4)
    check(HnswDistanceType.self, count: 6, bytes: 2)
    check(HnswFlags.self, count: 4, bytes: 4)
    check(ExternalPropertyType.self, count: 29, bytes: 2)
    check(DebugFlags.self, count: 7, bytes: 4)
    check(PutPaddingMode.self, count: 4, bytes: 2)
    check(ValidateOnOpenMode.self, count: 6, bytes: 2)
  }
}
