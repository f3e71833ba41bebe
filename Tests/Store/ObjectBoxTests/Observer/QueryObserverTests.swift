import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

struct QueryObserverTests {
  private let temporary: TemporaryStore
  private let people: Box<Person>
  private let names = Recorder<[String]>()
  private let calls = Recorder<Int>()

  init() throws {
    temporary = try TemporaryStore()
    people = temporary.store.box(for: Person.self)
    try people.put([Person("Old", age: 70), Person("Young", age: 7)])
  }

  @Test func `the results come first, then anew once a commit, also when they are the same`() throws
  {
    let query = try people.query { Person.age > 50 }
      .ordered(by: Person.age, flags: .descending).build()
    let observer = query.subscribe(dispatchQueue: names.queue) { [names] people, error in
      #expect(error == nil)
      names.note(people.map(\.name))
    }
    #expect(names.values == [["Old"]])
    try people.put(Person("Older", age: 80))
    #expect(names.values == [["Old"], ["Older", "Old"]])
    try people.put(Person("Child", age: 1))
    #expect(names.values == [["Old"], ["Older", "Old"], ["Older", "Old"]])
    observer.unsubscribe()
  }

  @Test func `contiguous results are the same ones`() throws {
    let query = try people.query { Person.age > 50 }.build()
    let observer = query.subscribeContiguous(dispatchQueue: names.queue) { [names] people, _ in
      names.note(people.map(\.name))
    }
    let all = people.subscribeContiguous(dispatchQueue: names.queue) { [names] people, _ in
      names.note(people.map(\.name))
    }
    #expect(names.values == [["Old"], ["Old", "Young"]])
    observer.unsubscribe()
    all.unsubscribe()
  }

  @Test func `parameters that are set later reach a subscription with the next commit`() throws {
    let query = try people.query { Person.age > 50 }.build()
    let observer = query.subscribe(dispatchQueue: names.queue) { [names] people, _ in
      names.note(people.map(\.name))
    }
    #expect(names.values == [["Old"]])
    query.setParameter(Person.age, to: 5)
    #expect(names.values == [["Old"]])
    try people.put(Person("Baby", age: 0))
    #expect(names.values == [["Old"], ["Old", "Young"]])
    observer.unsubscribe()
  }

  @Test func `the flags decide about the first call and the later ones`() throws {
    let query = try people.query { Person.age > 50 }.build()
    func observe(_ flags: Observer.Flags) -> Observer {
      query.subscribe(dispatchQueue: calls.queue, flags: flags) { [calls] in
        calls.note(flags.rawValue)
      }
    }
    let observers = [[], [.sendInitial], [.dontSubscribe], [.sendInitial, .dontSubscribe]]
      .map { observe($0) }
    #expect(calls.values == [1, 3])
    try people.put(Person("A"))
    #expect(calls.values == [1, 3, 0, 1])
    for observer in observers { observer.unsubscribe() }
  }
}
