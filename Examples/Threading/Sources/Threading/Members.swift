import Foundation
import ObjectBox
import ObjectBoxLive

// objectbox: entity
final class Member {
  var id: Id = 0
  // objectbox: unique
  var name: String = ""

  init() {}
  init(_ name: String) { self.name = name }
}

func rename(_ id: Id, to name: String, in store: Store) throws {
  try store.write { transaction in
    guard let member = try transaction.get(Member.self, id), member.name != name else { return }
    try transaction.modify(Member.self, id) { $0.name = name }
  }
}

func remove(_ id: Id, from store: Store) throws -> Member? {
  try store.write { transaction in
    let member: Member? = try transaction.get(id)
    try transaction.remove(Member.self, id)
    return member
  }
}

func add(_ member: Member, to store: Store, on queue: SerialQueue) {
  store.writeAsync(on: queue) { [name = member.name] transaction in
    let member = Member()
    member.name = name
    try transaction.put(member)
    if name.isEmpty { transaction.cancelWrite() }
  } onComplete: { error in
    switch error {
    case nil: print("stored")
    case is WriteCancellation, is CancellationError: print("not wanted")
    case let error?: print("not stored: \(error)")
    }
  }
}

func save(_ member: Member, in store: Store) {
  do {
    try store.write { transaction in try transaction.put(member) }
  } catch ObjectBoxError.uniqueViolation(let message) {
    print(message)
  } catch {
    let error = error as NSError
    print(error.domain, error.code, error.localizedDescription)
  }
}
