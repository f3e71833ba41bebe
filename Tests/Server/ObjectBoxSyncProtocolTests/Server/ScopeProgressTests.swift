import ObjectBoxSyncProtocol
import Testing

struct ScopeProgressTests {
  private static let flag = Scope.Comparison(Example.rank, .equals, .integer(1))

  /// A scope with an owner, one with a flag too, and one of a list.
  private static func scopes(_ number: Int64) -> [Scope] {
    let owner = Scope.Comparison(Example.owner, .equals, .integer(number))
    let text = PropertyValue.bytes([UInt8(number % 256)])
    return [
      Scope(entity: EntityUID(1), [owner]), Scope(entity: EntityUID(2), [owner, flag]),
      Scope(entity: EntityUID(3), [Scope.Comparison(Example.text, .contains, text)]),
    ]
  }

  @Test(arguments: [2, 5, 6, 40])
  func `few and many scopes match the same objects`(count: Int64) throws {
    var progress = ScopeProgress().restricted(to: (2..<2 + count).flatMap(Self.scopes))
    for (index, scope) in progress.elements.map(\.scope).enumerated() where index % 3 != 2 {
      progress[scope] = index % 2 == 0 ? .complete : .filled(upTo: 10)
    }
    for number in 0...count + 3 {
      let has = (2..<2 + count).contains(number)
      let index = Int(number - 2) * 3
      var values = PropertyList([
        (Example.owner, PropertyValue.integer(number)), (Example.rank, .integer(1)),
        (Example.text, .bytes([0, 0, 0, 1, UInt8(number % 256)])),
      ])
      for (place, entity) in (1...3).map({ EntityUID($0) }).enumerated() {
        let key = ObjectKey(entity: entity, id: 1)
        #expect(progress.match(values, at: key) == has, "\(number) of \(entity)")
        for id in [UInt64(10), 11] {
          let reached: ScopeProgress.Progress? =
            !has
            ? nil
            : place == 2
              ? .filled(upTo: 0) : (index + place) % 2 == 0 ? .complete : .filled(upTo: 10)
          let expected =
            switch reached {
            case .complete: true
            case .filled(let last): id <= last
            case nil: false
            }
          #expect(progress.contain(values, at: ObjectKey(entity: entity, id: id)) == expected)
        }
      }
      values[Example.rank] = .integer(0)
      #expect(!progress.match(values, at: ObjectKey(entity: EntityUID(2), id: 1)))
      #expect(!progress.match(values, at: ObjectKey(entity: EntityUID(4), id: 1)))
    }
  }

  @Test(arguments: [3, 40])
  func `few and many scopes of ranges and of single objects match the same objects`(count: Int64) {
    let entity = EntityUID(1)
    let granted = (0..<count).flatMap { number in
      [
        Scope(
          entity: entity,
          [
            Scope.Comparison(Example.owner, .atLeast, .integer(number * 10)),
            Scope.Comparison(Example.owner, .below, .integer(number * 10 + 5)),
          ]
        ),
        Scope(entity: entity, [Scope.Comparison(object: UInt64(number) * 3 + 1)]),
      ]
    }
    var progress = ScopeProgress()
    for scope in granted { progress[scope] = .complete }
    for number in 0..<(count * 10 + 10) {
      let values = PropertyList([(Example.owner, PropertyValue.integer(number))])
      let isInRange = number < count * 10 && number % 10 < 5
      for id in [UInt64(number), UInt64(number) + 1] {
        let isObject = id % 3 == 1 && id / 3 < UInt64(count)
        let key = ObjectKey(entity: entity, id: id)
        #expect(progress.contain(values, at: key) == (isInRange || isObject))
      }
    }
  }

  @Test func `scopes can be taken away and added again`() {
    let all = (0..<20).flatMap(Self.scopes)
    var progress = ScopeProgress()
    for scope in all { progress[scope] = .complete }
    for scope in all.prefix(50) { progress[scope] = nil }
    let (taken, kept) = (Array(all.prefix(50)), Array(all.suffix(10)))
    #expect(progress.elements.map(\.scope) == kept)
    for scope in taken {
      #expect(progress[scope] == nil)
      progress[scope] = .filled(upTo: 3)
    }
    #expect(progress.elements.map(\.scope) == kept + taken)
    #expect(kept.allSatisfy { progress[$0] == .complete })
    #expect(
      progress == ScopeProgress().restricted(to: progress.elements.map(\.scope)).taking(progress)
    )
  }

  @Test func `new scopes begin at their start, and known ones stay`() {
    let all = (0..<20).flatMap(Self.scopes)
    var progress = ScopeProgress().restricted(to: all)
    for scope in all { progress[scope] = .complete }
    #expect(progress.restricted(to: all) == progress)
    let others = all.suffix(30) + Self.scopes(77)
    let restricted = progress.restricted(to: Array(others))
    #expect(restricted.elements.map(\.scope) == Array(others))
    #expect(restricted.elements.count { $0.progress == .filled(upTo: 0) } == 3)
    #expect(restricted.areLower(than: progress) && !progress.areLower(than: progress))
  }
}

extension ScopeProgress {
  /// Returns the same scopes with the progress of others.
  fileprivate func taking(_ others: Self) -> Self {
    var progress = self
    for element in elements { progress[element.scope] = others[element.scope] }
    return progress
  }
}
