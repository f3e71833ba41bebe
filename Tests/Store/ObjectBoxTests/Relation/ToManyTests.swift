import ObjectBox
import ObjectBoxRuntimeTestSupport
import Testing

/// Standalone relations, from both ends.
struct ToManyTests {
  private let store: RelationStore
  private let students: Box<Student>
  private let teachers: Box<Teacher>

  init() throws {
    store = try RelationStore()
    students = store.students
    teachers = store.teachers
  }

  private func student(_ id: Id = 1) throws -> Student { try #require(try students.get(id)) }
  private func teacher(_ id: Id = 1) throws -> Teacher { try #require(try teachers.get(id)) }

  @Test func `objects of a new host are put with it, and are seen from both ends`() throws {
    let student = Student("s")
    student.teachers.append(Teacher("a"))
    student.teachers.append(Teacher("b"))
    try students.put(student)
    #expect(try self.student().teachers.map(\.name) == ["a", "b"])
    #expect(try teacher(2).students.map(\.name) == ["s"])
  }

  @Test func `a new host on the other end adds to the same relation`() throws {
    let teacher = Teacher("t")
    teacher.students.append(contentsOf: [Student("a"), Student("b")])
    try teachers.put(teacher)
    #expect(try self.teacher().students.map(\.name) == ["a", "b"])
    #expect(try student(2).teachers.map(\.name) == ["t"])
  }

  @Test func `nothing is loaded before the first object is asked for`() throws {
    let new = Student("s")
    new.teachers.append(Teacher("a"))
    try students.put(new)
    let student = try student()
    #expect(!student.teachers.resolved && student.teachers.canInteractWithDb)
    #expect("\(student.teachers)" == "(unresolved)")
    #expect(student.teachers.debugDescription == "ToMany<Teacher>(unresolved)")
    #expect(student.teachers.count == 1)
    #expect(student.teachers.resolved)
    student.teachers.reset()
    #expect(!student.teachers.resolved)
    try student.teachers.resolveFromDb()
    #expect(student.teachers.resolved)
    #expect(student.teachers.debugDescription == "ToMany<Teacher>(1 objects)")
  }

  @Test func `changes wait until they are applied`() throws {
    try students.put(Student("s"))
    try teachers.put([Teacher("a"), Teacher("b")])
    let student = try student()
    student.teachers.append(try teacher(2))
    student.teachers.append(Teacher("c"))
    #expect(student.teachers.hasPendingDbChanges)
    #expect(try self.student().teachers.isEmpty)
    try student.teachers.applyToDb()
    #expect(!student.teachers.hasPendingDbChanges)
    #expect(try student.teachers.getUncachedIdsFromDb() == [2, 3])
    #expect(try student.teachers.getUncachedFromDb().map(\.name) == ["b", "c"])
    student.teachers.remove(at: 0)
    try student.teachers.applyToDb()
    #expect(try self.student().teachers.map(\.name) == ["c"])
    #expect(try teachers.count() == 3)
  }

  @Test func `objects come in the order of their IDs, and a pair exists once`() throws {
    try teachers.put([Teacher("a"), Teacher("b"), Teacher("c")])
    let student = Student("s")
    for id: Id in [3, 1, 3, 2] { student.teachers.append(try teacher(id)) }
    try students.put(student)
    #expect(student.teachers.map(\.name) == ["c", "a", "c", "b"])
    #expect(try self.student().teachers.map(\.name) == ["a", "b", "c"])
  }

  @Test func `another instance of the same object is the same one`() throws {
    let new = Student("s")
    new.teachers.append(Teacher("a"))
    try students.put(new)
    let student = try student()
    student.teachers.replace([try teacher()])
    #expect(!student.teachers.hasPendingDbChanges)
    student.teachers.replace([])
    #expect(student.teachers.isEmpty)
    try student.teachers.applyToDb()
    #expect(try self.student().teachers.isEmpty)
  }

  @Test func `the functions of collections keep the relation itself`() throws {
    let new = Student("s")
    new.teachers.append(contentsOf: ["a", "b", "c", "d"].map(Teacher.init))
    try students.put(new)
    let student = try student()
    let relation = student.teachers
    student.teachers.removeAll { $0.name == "b" }
    student.teachers.removeFirst(1)
    student.teachers.insert(Teacher("e"), at: 0)
    student.teachers.removeSubrange(1..<2)
    #expect(student.teachers === relation)
    #expect(relation.map(\.name) == ["e", "d"])
    student.teachers.removeAll()
    student.teachers.removeAll(keepingCapacity: true)
    #expect(student.teachers === relation && relation.isEmpty)
    try relation.applyToDb()
    #expect(try self.student().teachers.isEmpty)
    #expect(relation.reversed().reversed().canInteractWithDb)
  }

  @Test func `a relation that belongs to nothing reads nothing, and applies no changes`() throws {
    let relation = Student("s").teachers
    #expect(throws: ObjectBoxError.self) { _ = try relation.getUncachedFromDb() }
    #expect(throws: ObjectBoxError.self) { _ = try relation.getUncachedIdsFromDb() }
    try ToMany<Teacher>().applyToDb()
  }

  @Test func `removing objects removes their pairs in both directions`() throws {
    let shared = Teacher("t")
    for name in ["a", "b", "c"] {
      let student = Student(name)
      student.teachers.append(shared)
      student.teachers.append(Teacher(name))
      try students.put(student)
    }
    try students.remove(UInt64(2))
    #expect(try teacher(1).students.map(\.name) == ["a", "c"])
    #expect(try teacher(3).students.isEmpty)
    try teachers.remove(shared)
    #expect(try student(1).teachers.map(\.name) == ["a"])
    #expect(try student(3).teachers.getUncachedIdsFromDb() == [4])
    try teachers.removeAll()
    #expect(try student(1).teachers.getUncachedIdsFromDb().isEmpty)
    // The new teacher reuses neither the ID nor the pairs.
    try teachers.put(Teacher("new"))
    #expect(try teacher(5).students.isEmpty)
  }

  @Test func `changes that are rolled back leave no pairs`() throws {
    struct Stop: Error {}
    try students.put(Student("s"))
    let student = try student()
    #expect(throws: Stop.self) {
      try store.store.runInTransaction {
        student.teachers.append(Teacher("a"))
        try student.teachers.applyToDb()
        #expect(try self.student().teachers.count == 1)
        throw Stop()
      }
    }
    #expect(try self.student().teachers.isEmpty)
    #expect(try teachers.isEmpty())
  }

  @Test func `a relation that cannot be written keeps its changes`() throws {
    try students.put(Student("s"))
    let student = try student()
    student.teachers.append(Teacher("a"))
    try store.store.runInReadOnlyTransaction {
      #expect(throws: ObjectBoxError.self) { try student.teachers.applyToDb() }
    }
    #expect(student.teachers.hasPendingDbChanges)
    try student.teachers.applyToDb()
    #expect(try self.student().teachers.count == 1)
  }

  @Test func `the relation of a model that lacks it is refused`() throws {
    let unknown = ToMany<Teacher>.relation(
      sourceId: EntityId<Student>(1),
      targetBox: teachers,
      relationId: 7
    )
    #expect {
      try unknown.resolveFromDb()
    } throws: { error in
      guard case ObjectBoxError.illegalArgument(let message) = error else { return false }
      return message.contains("'Teacher'") && message.contains("7")
    }
  }

  @Test func `a long list takes appends in little time each`() throws {
    let student = Student("s")
    for number in 0..<5000 { student.teachers.append(Teacher("\(number)")) }
    try students.put(student)
    #expect(try self.student().teachers.count == 5000)
  }
}
