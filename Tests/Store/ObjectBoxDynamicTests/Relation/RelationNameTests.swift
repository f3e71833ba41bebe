import ObjectBox
import ObjectBoxDynamic
import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// The names of standalone relations in the file.
struct RelationNameTests {
  private let store: RelationStore

  /// Makes a store whose relation of students to teachers is unnamed, as in files of an earlier
  /// version.
  init() throws {
    store = try RelationStore()
    let student = Student("s")
    student.teachers.append(Teacher("a"))
    try store.students.put(student)
  }

  /// Opens the store under a model that names the relation.
  private func name(_ name: String) throws { try store.reopen(Self.model(name)) }

  private static func model(_ name: String?) -> RelationModel {
    var model = RelationModel()
    model.relationName = name
    return model
  }

  private var configuration: Store.Configuration {
    Store.Configuration(directory: store.folder.path + "/store")
  }

  /// The number of students of teacher 1, found without bindings by the relation's name.
  private func found(by name: String) throws -> Int {
    store.store.close()
    let store = try Store(existing: configuration)
    defer { store.close() }
    return try store.box(named: "Student").query { $0[name].link { $0["id"] == 1 } }.build().count()
  }

  @Test func `a store without bindings knows relations by their names`() throws {
    #expect(try found(by: "relation1") == 1)
    try name("taughtBy")
    #expect(try found(by: "taughtBy") == 1)
    #expect {
      try found(by: "relation1")
    } throws: { error in
      guard case ObjectBoxError.illegalArgument(let message) = error else { return false }
      return message.contains("'Student' has no relation 'relation1'; it has 'taughtBy'")
    }
  }

  @Test func `a relation that was renamed gets its new name, and keeps its links`() throws {
    try name("taughtBy")
    try name("teachers")
    #expect(try found(by: "teachers") == 1)
  }

  @Test func `a model without names keeps those of the file, also when it changes the rest`() throws
  {
    try name("taughtBy")
    var model = Self.model(nil)
    try store.reopen(model)
    #expect(try found(by: "taughtBy") == 1)
    model.hasCustomerIndex = false
    try store.reopen(model)
    #expect(try found(by: "taughtBy") == 1)
  }

  @Test func `a store opens read-only under a model with other names`() throws {
    try name("taughtBy")
    store.store.close()
    var configuration = configuration
    configuration.readOnly = true
    let reading = try Store(model: try Self.model("teachers").build(), configuration: configuration)
    #expect(try reading.box(for: Student.self).get(UInt64(1))?.teachers.map(\.name) == ["a"])
    reading.close()
    #expect(try found(by: "taughtBy") == 1)
  }

  @Test func `a store that is open elsewhere keeps its names until it is opened alone`()
    throws
  {
    try name("taughtBy")
    store.store.close()
    let path = store.folder.path + "/store/data.mdb"
    // Takes the lock of a process that reads the store.
    let presence = try #require(FileLock(path: path, mode: 0o600, isReadOnly: true))
    #expect(try presence.lock(1, isExclusive: false))
    try name("teachers")
    #expect(try store.students.get(UInt64(1))?.teachers.map(\.name) == ["a"])
    try store.students.put(Student("t"))
    #expect(try found(by: "taughtBy") == 1)
    presence.close()
    try name("teachers")
    #expect(try found(by: "teachers") == 1)
  }
}
