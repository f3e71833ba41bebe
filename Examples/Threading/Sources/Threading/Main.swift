import ObjectBox
import ObjectBoxLive

@main
@MainActor
struct Main {
  static func main() async throws {
    let store = try Store(directoryPath: "memory:threading")
    try await write(store)
    try await read(store)
    try await observe(store)
    try await cross(store)
    try changeMembers(store)
    try labelRecipe(store)
    store.close()
    print("done")
  }

  private static func write(_ store: Store) async throws {
    let (ada, alan) = try Writing.openAccounts(in: store)
    try await Writing.transfer(30, from: ada, to: alan, in: store)
    do {
      try await Writing.transfer(1000, from: ada, to: alan, in: store)
    } catch Refusal.tooLittle {
      print("refused, nothing written")
    }
    await Writing.importPeople(["Ada", "Bea", "Cleo"], into: store)
    print("begun and committed:", await Writing.add("Dora", to: store))
    try Writing.addOrNot(Person("", age: 0), to: store)
    try Writing.addOrNot(Person("Emma", age: 4), to: store)
    if let emma = try store.box(for: Person.self).query({ Person.name == "Emma" }).build()
      .findFirst()
    {
      try Writing.birthday(of: emma, in: store)
    }
    print("put:", try Writing.hire("Hal", in: store).age)
    print("on a queue:", await Writing.addLater("Flora", to: store, on: SerialQueue()))
    print("from an actor:", try await Registry(store).register("Grace"))
  }

  private static func read(_ store: Store) async throws {
    print("accounts and sum:", try Reading.sums(in: store))
    print("sum in a task:", try await Reading.sumElsewhere(in: store))
    try Reading.versions(in: store)
    if let person = try store.freeze().object(Person.self, 1) {
      print("thawed:", try Reading.thawed(person, in: store) ?? -1)
    }
  }

  private static func observe(_ store: Store) async throws {
    let list = try PeopleList(store)
    try list.start()
    try await list.catchUp()
    try list.addLast("Zoe")
    try await list.catchUp()
    print("sections:", try Sections.letters(store))
    print("list:", list.names, "told", list.calls, "time(s)")
    let commit = try Observing.nextCommit(of: store)
    let counts = try Observing.watch(store)
    try await store.write { transaction in
      try transaction.put(Person("Hedy", age: 40))
    }
    print("inserted:", try await commit.value, "older than 30:", try await counts.value.last ?? -1)
    print("changed:", try await Observing.renaming(of: 1, in: store))
  }

  private static func cross(_ store: Store) async throws {
    let list = try PeopleList(store)
    if let first = list.first() {
      print("by reference:", try await Crossing.ageElsewhere(of: first, in: store) ?? -1)
      try await Crossing.rename(shown: first, to: first.name, in: store)
    }
    let person = try store.freeze().object(Person.self, 2)
    try await Crossing.rename(person: person, to: "Beatrice", in: store)
    print("renamed:", try store.box(for: Person.self).get(2)?.name ?? "gone")
    let young = try store.freeze().query(Person.self) { Person.age < 2 }
    print("removed:", try await Crossing.removeAll(young, from: store))
  }

  private static func changeMembers(_ store: Store) throws {
    let member = Member("Ida")
    save(member, in: store)
    save(Member("Ida"), in: store)
    try rename(member.id, to: "Ines", in: store)
    print("no member any more:", try remove(member.id, from: store)?.name ?? "nobody")
    add(Member("Jo"), to: store, on: SerialQueue())
    add(Member(), to: store, on: SerialQueue())
  }

  private static func labelRecipe(_ store: Store) throws {
    let id = try store.box(for: Recipe.self).put(Recipe())
    guard let recipe = try store.freeze().object(Recipe.self, id) else { return }
    try add("quick", to: recipe)
    try add("quick", to: recipe)
    print("labels:", try store.box(for: Recipe.self).get(id)?.labels ?? [])
  }
}
