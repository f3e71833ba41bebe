import ObjectBox
import ObjectBoxTestSupport
import Testing

/// Annotations that define rules for values and removals.
struct RuleTests {
  private let folder: TemporaryDirectory
  private let store: Store
  private let folders: Box<Folder>
  private let documents: Box<Document>
  private let locks: Box<Lock>

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
    folders = store.box()
    documents = store.box()
    locks = store.box()
  }

  @Test func `a removal takes with it what onDelete says`() throws {
    let (root, sub) = (Folder("/"), Folder("/sub"))
    sub.parent.target = root
    sub.documents.replace([Document(1), Document(2)])
    try folders.put(sub)
    try documents.put(Document(3))
    #expect(try folders.remove(root))
    #expect(try folders.isEmpty())
    #expect(try documents.all().map(\.number) == [3])
  }

  @Test func `onDelete of a to-many relation and of its backlink are two rules`() throws {
    let locked = Folder("/")
    let lock = Lock()
    locked.locks.append(lock)
    try folders.put(locked)
    #expect(throws: ObjectBoxError.self) { try folders.remove(locked) }
    #expect(try locks.remove(lock))
    #expect(try folders.isEmpty())
  }

  @Test func `unique texts with the collation nocase differ by more than case`() throws {
    try folders.put(Folder("/Straße/É"))
    #expect(throws: ObjectBoxError.self) { try folders.put(Folder("/STRAßE/é")) }
    #expect(try folders.get(where: Folder.path, equals: "/straße/É")?.path == "/Straße/É")
    let query = try folders.query { Folder.path.isEqual(to: "/STRAßE/É", caseSensitive: false) }
      .build()
    #expect(try query.count() == 1)
    #expect(try query.explain().contains("index on 'path'"))
  }

  @Test func `values of several properties are unique together, unless one is null`() throws {
    let (a, b) = (Folder("/a"), Folder("/b"))
    try folders.put([a, b])
    func document(_ number: UInt16, _ title: String?, _ folder: Folder?) -> Document {
      let document = Document(number)
      document.title = title
      document.folder.target = folder
      return document
    }
    try documents.put([
      document(1, "x", a), document(2, "x", b), document(3, nil, a), document(4, nil, a),
      document(5, "x", nil), document(6, "x", nil),
    ])
    let error = #expect(throws: ObjectBoxError.self) { try documents.put(document(7, "x", b)) }
    #expect(error?.message.contains("'Document.folder, title'") == true)
    #expect(error?.message.contains("ID 2") == true)
    let query = try documents.query { Document.kind == 0 && Document.title == "x" }.build()
    #expect(try query.explain().contains("index on 'title, kind'"))
    #expect(try query.find().map(\.number) == [1, 2, 5, 6])
  }

  @Test func `objects are found by unique values of all kinds`() throws {
    try folders.put([Folder("/a"), Folder("/b")])
    try documents.put([Document(.max), Document(7)])
    let lock = Lock()
    lock.code = -3
    try locks.put([Lock(), lock])
    #expect(try folders.get(where: Folder.path, equals: "/b")?.id == 2)
    #expect(try folders.get(where: .path, equals: "/c") == nil)
    #expect(try documents.get(where: Document.number, equals: .max)?.id == 1)
    #expect(try locks.get(where: Lock.code, equals: -3)?.id == lock.id)
  }
}
