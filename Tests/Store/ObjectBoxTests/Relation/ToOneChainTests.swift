import Foundation
import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Objects that refer to one another, in chains and circles.
struct ToOneChainTests {
  private let store: RelationStore
  private let nodes: Box<Node>

  init() throws {
    store = try RelationStore()
    nodes = store.nodes
  }

  private static func chain(_ length: Int) -> Node {
    let first = Node()
    var last = first
    for _ in 1..<length {
      let next = Node()
      last.next.target = next
      last = next
    }
    return first
  }

  @Test func `a chain of 100,000 new objects is put, loaded and removed on a small stack`() throws {
    let length = 100_000
    let nodes = nodes
    try onSmallStack {
      do {
        let first = Self.chain(length)
        try nodes.put(first)
        #expect(first.id == 1)
      }
      #expect(try nodes.count() == length)
      var seen = 0
      do {
        let first = try #require(try nodes.get(UInt64(1)))
        var next: Node? = first
        while let node = next {
          seen += 1
          next = node.next.target
        }
      }
      #expect(seen == length)
      let ids = (1...UInt64(length)).reversed()
      #expect(try nodes.remove(Array(ids.prefix(length / 2))) == UInt64(length / 2))
      #expect(try nodes.get(UInt64(length / 2))?.next.hasValue == false)
      #expect(try nodes.removeAll() == UInt64(length / 2))
    }
  }

  @Test func `a chain through to-one and to-many relations is put on a small stack as well`() throws
  {
    let length = 5000
    let (teachers, students) = (store.teachers, store.students)
    try onSmallStack {
      let first = Teacher("0")
      var last = first
      for number in 1...length {
        let student = Student("\(number)")
        let teacher = Teacher("\(number)")
        last.favourite.target = student
        student.teachers.append(teacher)
        last = teacher
      }
      try teachers.put(first)
    }
    #expect(try teachers.count() == length + 1)
    #expect(try students.count() == length)
    let read = try #require(try teachers.get(UInt64(1)))
    #expect(read.favourite.target?.teachers.first?.favourite.target?.name == "2")
  }

  @Test func `objects that lead to one another in a circle are stored once each`() throws {
    let a = Node(name: "a")
    let b = Node(name: "b")
    let c = Node(name: "c")
    a.next.target = b
    b.next.target = c
    c.next.target = a
    try nodes.put(a)
    #expect([a, b, c].map(\.id) == [1, 2, 3])
    #expect(try nodes.all().map { $0.next.targetId } == [2, 3, 1])
    #expect(try nodes.all().map { $0.name } == ["a", "b", "c"])
    try nodes.remove(b)
    #expect(try nodes.all().map { $0.next.targetId } == [nil, 1])
  }

  @Test func `an object that leads to itself is stored once, and can be removed`() throws {
    let node = Node(name: "self")
    node.next.target = node
    try nodes.put(node)
    #expect(try nodes.count() == 1)
    #expect(try nodes.get(node.id)?.next.targetId == 1)
    #expect(try nodes.remove(node))
    #expect(try nodes.isEmpty())
  }

  @Test func `a circle in a collection is stored once`() throws {
    let a = Node()
    let b = Node()
    a.next.target = b
    b.next.target = a
    try nodes.put([a, b])
    #expect(try nodes.all().map { $0.next.targetId } == [2, 1])
  }

  @Test func `a circle over a to-many relation and a to-one relation is stored once`() throws {
    let teacher = Teacher("t")
    let student = Student("s")
    teacher.students.append(student)
    teacher.favourite.target = student
    student.teachers.append(teacher)
    try store.students.put(student)
    #expect(try store.students.count() == 1)
    #expect(try store.teachers.count() == 1)
    #expect(try store.teachers.get(teacher.id)?.favourite.targetId == 1)
    #expect(try store.students.get(student.id)?.teachers.map(\.name) == ["t"])
  }

  @Test func `a put inside of a put finds the object that is being put`() throws {
    let node = Node(name: "a")
    let other = Node(name: "b")
    let nodes = nodes
    node.whileCollected = {
      other.next.target = node
      node.whileCollected = {}
      try nodes.put(other)
    }
    node.next.target = other
    node.afterPut = {
      #expect(node.id == 0 && other.id == 2)
      node.afterPut = {}
      node.name = "changed"
      try nodes.put(node)
    }
    try nodes.put(node)
    #expect(node.id == 1)
    #expect(try nodes.all().map(\.name) == ["changed", "b"])
    #expect(try nodes.all().map { $0.next.targetId } == [2, 1])
  }

  @Test func `targets on the way are finished before the object that leads to them`() throws {
    nonisolated(unsafe) var finished: [String] = []
    let chain = ["a", "b", "c"].map { Node(name: $0) }
    for (node, next) in zip(chain, chain.dropFirst()) { node.next.target = next }
    for node in chain { node.afterPut = { finished.append(node.name ?? "") } }
    try nodes.put(chain[0])
    #expect(finished == ["c", "b", "a"])
    #expect(chain.map(\.id) == [1, 2, 3])
    for node in chain { node.afterPut = {} }
  }

  @Test func `an object that gives way to another one's unique value is no target any more`() throws
  {
    var model = RelationModel()
    model.nodeNameFlags.append(.uniqueOnConflictReplace)
    let nodes = try RelationStore(model).nodes
    let host = Node(name: "host")
    host.next.target = Node(name: "same")
    try nodes.put(host)
    try nodes.put(Node(name: "same"))
    #expect(try nodes.all().map(\.id) == [1, 3])
    #expect(try nodes.get(host.id)?.next.hasValue == false)
  }

  @Test func `a circle whose put does not succeed can be put again`() throws {
    try nodes.put(Node(name: "taken"))
    let a = Node(name: "a")
    let b = Node(name: "taken")
    a.next.target = b
    b.next.target = a
    #expect(throws: ObjectBoxError.self) { try nodes.put(a) }
    #expect(a.id == 0 && b.id == 0)
    b.name = "b"
    try nodes.put(a)
    #expect(try nodes.count() == 3)
    #expect(try nodes.get(b.id)?.next.targetId?.value == a.id)
  }
}
