import Dispatch
@testable import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// One commit calls the handlers of a queue in one job.
struct ObserverOrderTests {
  private let temporary: TemporaryStore
  private let people: Box<Person>
  private let points: Box<Point>
  private let calls = Recorder<Int>()

  init() throws {
    temporary = try TemporaryStore()
    people = temporary.store.box(for: Person.self)
    points = temporary.store.box(for: Point.self)
  }

  private func observe(_ number: Int, points isPoints: Bool = false) -> Observer {
    let handler = { [calls] in calls.note(number) }
    return isPoints
      ? points.subscribe(dispatchQueue: calls.queue, flags: [], changeHandler: handler)
      : people.subscribe(dispatchQueue: calls.queue, flags: [], changeHandler: handler)
  }

  @Test func `handlers are called in the order of their subscriptions, also of several entities`()
    throws
  {
    let observers = (0..<20).map { observe($0, points: $0 % 3 == 0) }
    try people.put(Person("A"))
    #expect(calls.values == (0..<20).filter { $0 % 3 != 0 })
    try temporary.store.runInTransaction {
      try points.put(Point(id: 0, x: 0, y: 0))
      try people.put(Person("B"))
    }
    #expect(calls.values.suffix(20) == Array(0..<20)[...])
    #expect(calls.values.count == 33)
    withExtendedLifetime(observers) {}
  }

  @Test func `a handler that ends another one prevents its call in the same commit`() throws {
    let last = Guarded<Observer?>(nil)
    let first = people.subscribe(dispatchQueue: calls.queue, flags: []) { [calls] in
      calls.note(1)
      last.withLock { $0 }?.unsubscribe()
    }
    let second = observe(2)
    last.withLock { $0 = second }
    try people.put(Person("A"))
    try people.put(Person("B"))
    #expect(calls.values == [1, 1])
    last.withLock { $0 = nil }
    first.unsubscribe()
  }

  @Test func `calls of several queues and commits stand in each queue in the order of the commits`()
    throws
  {
    let other = Recorder<Int>()
    let observers = [
      observe(1),
      people.subscribe(dispatchQueue: other.queue, flags: []) { other.note(1) },
      observe(2),
      people.subscribe(dispatchQueue: other.queue, flags: []) { other.note(2) },
    ]
    calls.queue.suspend()
    try people.put(Person("A"))
    calls.queue.async { [calls] in calls.note(0) }
    try people.put(Person("B"))
    #expect(other.values == [1, 2, 1, 2])
    calls.queue.resume()
    #expect(calls.values == [1, 2, 0, 1, 2])
    withExtendedLifetime(observers) {}
  }

  @Test(arguments: 1...4)
  func `IDs are replaced in a list as in a set`(seed: Int) {
    var random = SplitMix(seed: seed)
    for _ in 0..<200 {
      func ids(_ count: Int) -> Set<UInt64> {
        Set((0..<count).map { _ in UInt64.random(in: 0..<40, using: &random) })
      }
      let (list, gone) = (
        ids(.random(in: 0...30, using: &random)), ids(.random(in: 0...9, using: &random))
      )
      let new = gone.filter { _ in Bool.random(using: &random) }
      #expect(
        SortedIDs.replacing(gone.sorted(), by: new.sorted(), in: list.sorted())
          == list.subtracting(gone).union(new).sorted()
      )
    }
  }
}
