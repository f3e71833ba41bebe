import Foundation
import ObjectBox
import Testing

struct HandWrittenBindingTests {
  private let stores: ContractStore
  private let readings: Box<Reading>

  init() throws {
    stores = try ContractStore()
    readings = stores.readings
  }

  @Test func `a model with gaps, small UIDs and one listed index works for all its entities`()
    throws
  {
    try stores.contacts.put(Contact(name: "Jo", age: 3))
    try readings.put(Reading { $0.aLong = 5 })
    try stores.markers.put(Marker(vector: [1, 2]))
    try stores.tickets.put(Ticket("a"))
    try stores.reopen()
    #expect(try stores.contacts.all().first?.name == "Jo")
    #expect(try stores.readings.all().first?.aLong == 5)
    #expect(try stores.markers.all().first?.vector == [1, 2])
    #expect(try stores.tickets.all().first?.name == "a")
  }

  @Test func `IDs of all types carry the value`() throws {
    #expect(try stores.contacts.put(Contact(name: nil)).value == 1)
    #expect(try readings.put(Reading()).value == 1)
    #expect(try stores.markers.put(Marker()).value == 1)
    #expect(Int64(-1).value == Id.max)
    #expect((7 as Id).value == 7)
    let id: EntityId<Contact> = 3
    #expect("\(id)" == "3")
    #expect(String(reflecting: id) == "EntityId<Contact>(3)")
    #expect(id != 0)
    #expect(id.hashValue == EntityId<Contact>(3).hashValue)
    #expect(EntityId<Contact>.entityPropertyType == .long)
    #expect(Contact.id.isPrimaryKey)
    #expect(!Contact.age.isPrimaryKey)
    #expect(Contact.age.propertyId == 3)
    #expect(Contact.entityInfo.entityName == "Contact")
    #expect(Ticket.entityInfo.entitySchemaId == 7)
  }

  private func expectNull(_ reading: Reading) {
    #expect(reading.maybeBool == nil)
    #expect(reading.maybeInt32 == nil)
    #expect(reading.maybeLong == nil)
    #expect(reading.maybeDouble == nil)
    #expect(reading.maybeFloat == nil)
    #expect(reading.maybeText == nil)
    #expect(reading.maybeDate == nil)
    #expect(reading.maybeData == nil)
    #expect(reading.int32s == nil)
    #expect(reading.text == "")
    #expect(reading.data == Data())
  }

  private func expectZeroAndEmpty(_ reading: Reading) {
    #expect(reading.maybeBool == false)
    #expect(reading.maybeInt32 == 0)
    #expect(reading.maybeLong == 0)
    #expect(reading.maybeDouble == 0)
    #expect(reading.maybeFloat == 0)
    #expect(reading.maybeText == "")
    #expect(reading.maybeDate == Date(timeIntervalSince1970: 0))
    #expect(reading.maybeData == Data())
  }

  @Test func `null, zero and empty values stay apart`() throws {
    try readings.put(Reading())
    try readings.put(
      Reading {
        $0.maybeBool = false
        $0.maybeInt32 = 0
        $0.maybeLong = 0
        $0.maybeDouble = 0
        $0.maybeFloat = 0
        $0.maybeText = ""
        $0.maybeDate = Date(timeIntervalSince1970: 0)
        $0.maybeData = Data()
        $0.strings = []
      }
    )
    let all = try readings.all()
    expectNull(all[0])
    expectZeroAndEmpty(all[1])
    #expect(try readings.query { Reading.aLong.isNil() }.build().count() == 0)
    #expect(try readings.query { Reading.aDouble.isNotNil() }.build().count() == 2)
  }

  // A date holds the halves exactly: 0.0625 s is 62.5 ms.
  @Test(arguments: [
    (1.0014, 1001), (1.0016, 1002), (-1.0014, -1001), (-1.0016, -1002), (0.0625, 63),
    (-0.0625, -63), (0.1875, 188), (-0.1875, -188), (0, 0),
  ])
  func `dates are rounded to milliseconds, halves away from zero`(
    _ seconds: Double,
    _ milliseconds: Int64
  ) throws {
    try readings.put(Reading { $0.date = Date(timeIntervalSince1970: seconds) })
    let values = try readings.query().build().propertyInt64(Reading.date).find()
    #expect(values == [milliseconds])
    let seconds = try readings.all()[0].date.timeIntervalSince1970
    #expect(abs(seconds - Double(milliseconds) / 1000) < 0.000_001)
  }

  @Test func `what a binding does not implement has a default, or stops the process`() async throws
  {
    let contact = Contact(name: nil)
    try ContactBinding().postPut(fromEntity: contact, id: 3, store: stores.store)
    #expect(contact.id == 0)
    MarkerBinding().setEntityIdUnlessStruct(of: Marker(id: 4), to: 9)
    await #expect(processExitsWith: .failure) {
      ContactBinding().setToOneRelation(3, of: Contact(name: nil), to: 4)
    }
    await #expect(processExitsWith: .failure) {
      var contact = Contact(name: nil)
      ContactBinding().setStructEntityId(of: &contact, to: 4)
    }
  }

  @Test func `a box of an entity without an ID or of another version stops`() async {
    await #expect(processExitsWith: .failure) {
      let stores = try ContractStore()
      withExtendedLifetime(stores) { _ = stores.store.box(for: Numberless.self) }
    }
    await #expect(processExitsWith: .failure) {
      let stores = try ContractStore()
      withExtendedLifetime(stores) { _ = stores.store.box(for: OtherVersion.self) }
    }
  }

  @Test func `a box of a closed store throws when it is used`() throws {
    let stores = try ContractStore()
    stores.store.close()
    let box = stores.store.box(for: Contact.self)
    #expect(throws: ObjectBoxError.self) { try box.count() }
  }

  @Test func `numbers of flags are those of the file format`() {
    #expect(PropertyFlags.indexed.rawValue | PropertyFlags.indexPartialSkipZero.value == 520)
    let unique: [PropertyFlags] = [.unique, .indexHash, .indexed]
    #expect(unique.reduce(0) { $0 | $1.rawValue } == 2088)
    #expect(PropertyFlags.uniqueOnConflictReplace.rawValue == 32768)
    #expect(PropertyFlags.syncPrecedence.rawValue == 262_144)
    #expect(PropertyFlags.uniqueOnConflictMerge.rawValue == 536_870_912)
    #expect(PropertyFlags.syncCounter.rawValue == 1_073_741_824)
    #expect(EntityFlags.sharedGlobalIds.rawValue == 4)
    #expect(EntityFlags.syncResolve.rawValue == 536_870_912)
    #expect(EntityFlags.syncPropertyClocks.rawValue == 1_073_741_824)
  }

  @Test func `numbers of modes and types are those of the file format`() {
    #expect(PutMode.update.rawValue == 3)
    #expect(OrderFlags.nullsZero.rawValue == 16)
    #expect(HnswDistanceType.geo.rawValue == 6)
    #expect(HnswDistanceType.dotProductNonNormalized.rawValue == 10)
    #expect(HnswFlags.reparationLimitCandidates.rawValue == 8)
    #expect(ExternalPropertyType.mongoRegex.rawValue == 127)
    #expect(DebugFlags.logCacheAll.rawValue == 64)
    #expect(PutPaddingMode.paddingbycaller.rawValue == 3)
    #expect(ValidateOnOpenMode.none_.rawValue == 1)
    #expect(PropertyType.dateNanoVector.rawValue == 32)
    #expect(PropertyType.byteSize == 2)
  }

  @Test func `types say which property type they are`() {
    let types: [(PropertyType, PropertyType)] = [
      (Bool.entityPropertyType, .bool), (Int8.entityPropertyType, .byte),
      (Byte.entityPropertyType, .byte), (Int16.entityPropertyType, .short),
      (UInt16.entityPropertyType, .short), (Int32.entityPropertyType, .int),
      (UInt32.entityPropertyType, .int), (Int64.entityPropertyType, .long),
      (UInt64.entityPropertyType, .long), (Int.entityPropertyType, .long),
      (UInt.entityPropertyType, .long), (Float.entityPropertyType, .float),
      (Double.entityPropertyType, .double), (String.entityPropertyType, .string),
      (Date.entityPropertyType, .date), (Data.entityPropertyType, .byteVector),
      ([UInt8].entityPropertyType, .byteVector), (String?.entityPropertyType, .string),
      (Int32?.entityPropertyType, .int), (Date?.entityPropertyType, .date),
      (Int32ArrayPropertyType.entityPropertyType, .intVector),
      (Int64ArrayPropertyType.entityPropertyType, .longVector),
      (FloatArrayPropertyType.entityPropertyType, .floatVector),
      (HnswIndexPropertyType.entityPropertyType, .floatVector),
      (StringArrayPropertyType.entityPropertyType, .stringVector),
    ]
    for (found, expected) in types { #expect(found == expected) }
    func text<T: StringPropertyType>(_: T.Type) {}
    func moment<T: DatePropertyType>(_: T.Type) {}
    func bytes<T: DataPropertyType>(_: T.Type) {}
    func long<T: LongPropertyType & LongPropertyQueryType>(_ value: T) -> Int64 { value.int64Value }
    func integer<T: IntegerPropertyType & IntegerPropertyQueryType>(_ value: T) -> Int32 {
      value.int32Value
    }
    text(String.self)
    text(String?.self)
    moment(Date.self)
    moment(Date?.self)
    bytes(Data.self)
    bytes(Data?.self)
    #expect(long(Int64.max) == .max)
    #expect(long(UInt64.max) == -1)
    #expect(integer(Int8(-3)) == -3)
    #expect(integer(UInt32.max) == -1)
  }

  @Test func `names in the manner of C and of values are there`() {
    let entity: obx_schema_id = 1
    let uid: obx_uid = 2
    let offset: OBXDataOffset = 3
    #expect(entity == UInt32(1) && uid == UInt64(2) && offset == UInt32(3))
    func name(_ property: QueryBuilder<Contact>.QueryProperty<String>) -> UInt32 {
      property.propertyId
    }
    #expect(name(Contact.name) == 2)
    let age: ValueProperty<Contact, Int> = Contact.age
    #expect(type(of: age).ValueType.self == Int.self)
    #expect(type(of: age).EntityType.self == Contact.self)
    #expect(type(of: age).ReferencedType.self == Void.self)
  }

  @Test func `a model that is refused is used up all the same`() throws {
    let model = try ContractStore.model()
    #expect(throws: ObjectBoxError.self) {
      _ = try Store(model: model, directory: "/dev/DOESNOTEXIST/really/should/fail")
    }
    let fresh = try ContractStore.model()
    #expect(throws: ObjectBoxError.self) { _ = try Store(model: fresh, directory: stores.path) }
  }
}
