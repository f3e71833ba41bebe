import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Compares random changes of relations with sets in memory.
struct RelationEquivalenceTests {
  @Test(arguments: 1...6)
  func `applied relations agree with sets of pairs after random changes`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    let store = try RelationStore()
    let (students, teachers) = (store.students, store.teachers)
    var pairs: Set<[Id]> = []
    var favourites: [Id: Id] = [:]
    try students.put((0..<8).map { Student("\($0)") })
    try teachers.put((0..<8).map { Teacher("\($0)") })

    for _ in 0..<150 {
      let studentIDs = try students.all().map(\.id)
      let teacherIDs = try teachers.all().map(\.id)
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<35:
        guard let student = try students.get(random.pick(studentIDs + [0])) else { continue }
        change(student.teachers, of: teachers, teacherIDs, &random) { Teacher("added") }
        try student.teachers.applyToDb()
        pairs = pairs.filter { $0[0] != student.id }
        for teacher in student.teachers { pairs.insert([student.id, teacher.id]) }
      case 35..<70:
        guard let teacher = try teachers.get(random.pick(teacherIDs + [0])) else { continue }
        change(teacher.students, of: students, studentIDs, &random) { Student("added") }
        try teacher.students.applyToDb()
        pairs = pairs.filter { $0[1] != teacher.id }
        for student in teacher.students { pairs.insert([student.id, teacher.id]) }
      case 70..<85:
        guard let teacher = try teachers.get(random.pick(teacherIDs + [0])) else { continue }
        let target = random.pick(studentIDs + [0])
        teacher.favourite.targetId = target == 0 ? nil : EntityId(target)
        try teachers.put(teacher)
        favourites[teacher.id] = target == 0 ? nil : target
      case 85..<91:
        let id = random.pick(studentIDs + [0])
        try students.remove([id])
        pairs = pairs.filter { $0[0] != id }
        favourites = favourites.filter { $0.value != id }
      case 91..<97:
        let id = random.pick(teacherIDs + [0])
        try teachers.remove([id])
        pairs = pairs.filter { $0[1] != id }
        favourites[id] = nil
      case 97:
        try students.removeAll()
        pairs = []
        favourites = [:]
      default:
        let student = Student("new")
        student.teachers.append(Teacher("new"))
        try students.put(student)
        pairs.insert([student.id, student.teachers[0].id])
      }
      for student in try students.all() {
        let expected = pairs.filter { $0[0] == student.id }.map { $0[1] }.sorted()
        #expect(try student.teachers.getUncachedIdsFromDb() == expected)
      }
      for teacher in try teachers.all() {
        let expected = pairs.filter { $0[1] == teacher.id }.map { $0[0] }.sorted()
        #expect(try teacher.students.getUncachedIdsFromDb() == expected)
        #expect(teacher.favourite.targetId?.value == favourites[teacher.id])
      }
    }
  }

  private func change<S>(
    _ relation: ToMany<S>,
    of box: Box<S>,
    _ ids: [Id],
    _ random: inout SplitMix,
    make: () -> S
  ) {
    var relation = relation
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where !relation.isEmpty:
        relation.remove(at: Int.random(in: 0..<relation.count, using: &random))
      case 1: relation.append(make())
      case 2 where relation.count > 2: relation.removeSubrange(0..<2)
      default:
        if let id = ids.randomElement(using: &random), let other = try? box.get(id) {
          relation.insert(other, at: Int.random(in: 0...relation.count, using: &random))
        }
      }
    }
  }
}
