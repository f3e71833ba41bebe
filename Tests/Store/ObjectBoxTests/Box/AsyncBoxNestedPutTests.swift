import ObjectBox
import ObjectBoxTestSupport
import Testing

/// An object that a pet refers to.
private final class Owner: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Owner
  typealias EntityBindingType = OwnerBinding
  static let entityInfo = EntityInfo(name: "Owner", id: 1)
  static let entityBinding = OwnerBinding()
  var id: Id = 0
  var _id: EntityId<Owner> { EntityId(id) }
}

private final class OwnerBinding: EntityBinding, Sendable {
  typealias EntityType = Owner
  typealias IdType = Id
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Owner, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Owner) -> Id { entity.id }
  func collect(
    fromEntity entity: Owner,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    propertyCollector.collect(id, at: 4)
  }
  func createEntity(entityReader: RecordReader, store: Store) -> Owner {
    let owner = Owner()
    owner.id = entityReader.read(at: 4)
    return owner
  }
}

/// An object whose binding puts a new owner first, as a to-one relation does.
private final class Pet: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Pet
  typealias EntityBindingType = PetBinding
  static let entityInfo = EntityInfo(name: "Pet", id: 2)
  static let entityBinding = PetBinding()
  var id: Id = 0
  var owner: Owner?
  var ownerID: Id = 0
  var _id: EntityId<Pet> { EntityId(id) }

  init(owner: Owner? = nil) {
    self.owner = owner
  }
}

private final class PetBinding: EntityBinding, Sendable {
  typealias EntityType = Pet
  typealias IdType = Id
  /// The pets whose put has finished, by the directory of their store.
  let finished = Guarded<[String: [Id]]>([:])
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Pet, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Pet) -> Id { entity.id }
  func collect(
    fromEntity entity: Pet,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) throws {
    propertyCollector.collect(id, at: 4)
    if let owner = entity.owner {
      let ownerID = owner.id != 0 ? owner.id : try store.box(for: Owner.self).put(owner)
      propertyCollector.collect(ownerID, at: 6)
    }
  }
  func postPut(fromEntity entity: Pet, id: Id, store: Store) throws {
    finished.withLock { $0[store.directoryPath, default: []].append(id) }
  }
  func createEntity(entityReader: RecordReader, store: Store) -> Pet {
    let pet = Pet()
    pet.id = entityReader.read(at: 4)
    pet.ownerID = entityReader.read(at: 6)
    return pet
  }
}

@Suite(.timeLimit(.minutes(15)))
struct AsyncBoxNestedPutTests {
  private let folder: TemporaryDirectory
  private let store: Store
  private let pets: Box<Pet>
  private let owners: Box<Owner>

  init() throws {
    folder = try TemporaryDirectory()
    let builder = try ModelBuilder()
    let owner = try builder.entityBuilder(for: Owner.self, id: 1, uid: 1001)
    try owner.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 1)
    try owner.lastProperty(id: 1, uid: 1)
    let pet = try builder.entityBuilder(for: Pet.self, id: 2, uid: 1002)
    try pet.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 11)
    try pet.addProperty(name: "ownerID", type: .long, id: 2, uid: 12)
    try pet.lastProperty(id: 2, uid: 12)
    builder.lastEntity(id: 2, uid: 1002)
    store = try Store(model: builder.finish(), directory: folder.path + "/store")
    pets = store.box(for: Pet.self)
    owners = store.box(for: Owner.self)
  }

  @Test func `new objects that a binding puts on the way are stored before the call returns`()
    throws
  {
    let owner = Owner()
    try pets.async.put([Pet(owner: owner), Pet(owner: owner), Pet()])
    #expect(owner.id == 1)
    #expect(try owners.count() == 1)
    store.awaitAsyncSubmitted()
    #expect(try pets.all().map(\.ownerID) == [1, 1, 0])
  }

  @Test func `inside a write transaction they belong to that`() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try store.runInTransaction {
        try pets.async.put(Pet(owner: Owner()))
        throw Stop()
      }
    }
    store.awaitAsyncSubmitted()
    #expect(try owners.isEmpty())
    #expect(try pets.count() == 1)
    // The thread can write again.
    try owners.put(Owner())
    #expect(try owners.count() == 1)
  }

  @Test func `inside a read transaction they cannot be stored, and nothing is taken`() throws {
    let pet = Pet(owner: Owner())
    #expect {
      try store.runInReadOnlyTransaction { try pets.async.put(pet) }
    } throws: { error in
      if case ObjectBoxError.cannotWriteWhileReading = error { true } else { false }
    }
    #expect(pet.id == 0)
    try store.runInReadOnlyTransaction { _ = try pets.async.put(Pet()) }
    store.awaitAsyncSubmitted()
    #expect(try pets.count() == 1)
  }

  @Test func `what follows a synchronous put does not follow an asynchronous one`() throws {
    let first = try pets.put(Pet())
    try pets.async.put(Pet())
    store.awaitAsyncSubmitted()
    #expect(try pets.count() == 2)
    #expect(Pet.entityBinding.finished.withLock { $0[store.directoryPath] } == [first])
  }
}
