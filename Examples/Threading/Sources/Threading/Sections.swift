import ObjectBox
import ObjectBoxGrouping
import ObjectBoxLive

/// Live results in sections.
enum Sections {
  @MainActor static func letters(_ store: Store) throws -> [String] {
    let live = try store.live()
    let people = try live.query(Person.self).ordered(by: Person.name)
    let letters = try people.sectioned(by: .firstLetter(of: Person.name))
    for letter in letters { print(letter.key, letter.map(\.name)) }
    let token = try letters.observe { change in
      guard case .update(_, let changes) = change else { return }
      print(changes.insertedSections, changes.insertions, changes.moves)
    }
    defer { token.invalidate() }
    try live.write { try $0.put(Person("Ira", age: 20)) }
    return letters.map { "\($0.key) \($0.count)" }
  }
}
