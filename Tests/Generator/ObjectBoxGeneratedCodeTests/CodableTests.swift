import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxLive
import ObjectBoxTestSupport
import Testing

/// Properties of `Codable` types, through generated code.
struct CodableTests {
  private let folder: TemporaryDirectory
  private let store: Store
  private let contacts: Box<Contact>

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(directoryPath: folder.path + "/store")
    contacts = store.box()
  }

  private var dynamic: DynamicBox { get throws { try store.box(named: "Contact") } }

  private static func changed(_ change: (Contact) -> Void) -> Contact {
    let contact = Contact()
    change(contact)
    return contact
  }

  // MARK: Values

  @Test func `values come back from a store that was opened anew`() throws {
    let contact = Contact("Ada", Address(city: "Köln", street: "A/B \"1\"\n", zip: "50667"))
    contact.former = [Address(city: "Rom"), Address()]
    contact.scores = ["b": 0.1, "a": -1e300]
    contact.shape = .circle(radius: 0.3)
    contact.key = Key(number: .max, area: "x")
    contact.level = .high
    contact.met = [Date(timeIntervalSinceReferenceDate: 0.123_456_789)]
    try contacts.put(contact)
    let trip = Trip(id: 0, from: contact.address, costs: ["a": 1], place: .init(x: 1, y: 2))
    let bare = Trip(id: 0, from: nil, costs: [:])
    let trips = try store.box(for: Trip.self).put(structs: [trip, bare])
    store.close()

    let store = try Store(directoryPath: folder.path + "/store")
    let read = try #require(try store.box(for: Contact.self).get(contact.id))
    #expect(read.name == "Ada")
    #expect(read.address == contact.address)
    #expect(read.former == contact.former)
    #expect(read.scores == contact.scores)
    #expect(read.shape == contact.shape)
    #expect(read.key == contact.key)
    #expect(read.level == .high)
    #expect(read.met == contact.met)
    #expect(try store.box(for: Trip.self).all() == trips)
    store.close()
  }

  @Test func `nil is null, and null is nil`() throws {
    let contact = Self.changed { $0.scores = [:] }
    try contacts.put(contact)
    #expect(try contacts.get(contact.id)?.scores == [:])
    contact.scores = nil
    try contacts.put(contact)
    #expect(try contacts.get(contact.id)?.scores == nil)
    #expect(try contacts.query { Contact.scores.isNil() }.build().count() == 1)
    #expect(try dynamic.get(contact.id)?["scores"] == nil)
  }

  @Test func `the text is JSON with sorted keys and without blanks`() throws {
    let contact = Contact("Ada", Address(city: "c/d", street: "s"), key: Key(number: 1, area: "a"))
    contact.scores = ["b": 2, "a": 1.5, "c": 0]
    contact.met = [Date(timeIntervalSinceReferenceDate: 1.5)]
    contact.level = .low
    try contacts.put(contact)
    let object = try #require(try dynamic.get(contact.id))
    #expect(try object.value(of: "address") == #"{"city":"c/d","street":"s"}"#)
    #expect(try object.value(of: "former") == "[]")
    #expect(try object.value(of: "scores") == #"{"a":1.5,"b":2,"c":0}"#)
    #expect(try object.value(of: "shape") == #"{"square":{"side":2}}"#)
    #expect(try object.value(of: "contactKey") == #"{"area":"a","number":1}"#)
    #expect(try object.value(of: "level") == #""low""#)
    #expect(try object.value(of: "met") == "[1.5]")
  }

  @Test func `equal values have equal texts`() throws {
    for names in [Array(0..<40), Array((0..<40).reversed())] {
      let contact = Contact()
      contact.scores = [:]
      for number in names { contact.scores?["n\(number)"] = Double(number) }
      try contacts.put(contact)
    }
    let texts = try contacts.query().build().property(Contact.scores).distinct().findStrings()
    #expect(texts.count == 1)
  }

  // MARK: Defaults

  /// Returns the model of an older program: both entities with only their ID and name.
  private static func olderModel() throws -> Data {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("model-ObjectBoxGeneratedCodeTests.json")
    var model = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    )
    var entities = try #require(model["entities"] as? [[String: Any]])
    // Other entities are left out: vectors need more than the model file says.
    entities.removeAll { !["Contact", "Trip"].contains($0["name"] as? String ?? "") }
    for place in entities.indices {
      let properties = try #require(entities[place]["properties"] as? [[String: Any]])
      entities[place]["properties"] = properties.filter {
        ["id", "name"].contains($0["name"] as? String ?? "")
      }
    }
    model["entities"] = entities
    return try JSONSerialization.data(withJSONObject: model)
  }

  @Test func `records written before read as the default values`() throws {
    let path = folder.path + "/older"
    let file = URL(fileURLWithPath: folder.path + "/older.json")
    try Self.olderModel().write(to: file)
    let older = try Store(directoryPath: path, modelJSON: file)
    let id = try older.box(named: "Contact").put(["name": "Ada"])
    let tripID = try older.box(named: "Trip").put([:])
    older.close()

    let store = try Store(directoryPath: path)
    let contact = try #require(try store.box(for: Contact.self).get(id))
    #expect(contact.name == "Ada")
    #expect(contact.address == Address(city: "unknown"))
    #expect(contact.former == [])
    #expect(contact.scores == nil)
    // The annotation's default differs from the declaration's.
    #expect(contact.shape == .circle(radius: 1))
    #expect(contact.key == nil)
    let trip = try #require(try store.box(for: Trip.self).get(tripID))
    #expect(trip == Trip(id: EntityId(tripID), from: nil, costs: [:]))
    #expect(trip.place == Trip.Place(x: 0, y: 0))
    #expect(trip.next == Trip.Place(x: 1, y: 1))
    store.close()
  }

  // MARK: Damaged and unfit texts

  private func failure(_ body: () throws -> Void) -> ObjectBoxError? {
    do {
      try body()
    } catch let error as ObjectBoxError {
      return error
    } catch {
      Issue.record("\(error)")
    }
    return nil
  }

  /// Stores an object with the given text as `address`, and returns its ID.
  private func put(address: String) throws -> Id {
    try dynamic.put(["name": "Ada", "address": address, "former": "[]"])
  }

  @Test(arguments: ["", "{", "null", "[]", #"{"city":1,"street":""}"#, #"{"city":"x"}"#])
  func `a text that does not fit the type is an error of each read`(_ text: String) throws {
    let id = try put(address: text)
    try contacts.put(Contact("Alan"))
    let error = failure { _ = try contacts.get(id) }
    guard case .conversionFailed(let entity, let property, id, let cause) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(entity == "Contact")
    #expect(property == "address")
    #expect(cause is DecodingError)
    let message = "\(try #require(error))"
    #expect(
      message.hasPrefix(
        "conversionFailed: cannot read 'Contact.address' of the object with ID \(id)"
      )
    )
    let query = try contacts.query { Contact.name == "Ada" }.build()
    let reads: [() throws -> Void] = [
      { _ = try contacts.all() }, { _ = try contacts.get([id]) }, { _ = try query.find() },
      { _ = try query.findFirst() }, { _ = try query.findUnique() },
      { _ = try contacts.getAsDictionary([EntityId<Contact>(id)]) },
      { try contacts.visit { _ in true } },
      { try store.runInReadOnlyTransaction { _ = try contacts.get(id) } },
      { _ = try store.freeze().object(EntityId<Contact>(id))?.value() },
    ]
    for read in reads {
      guard case .conversionFailed = failure(read) else {
        Issue.record("no error")
        continue
      }
    }
    // The store still works, and so do reads that do not decode this text.
    #expect(try query.count() == 1)
    #expect(try contacts.get(id + 1)?.name == "Alan")
    #expect(try dynamic.get(id)?["address"] as? String == text)
    try store.write { transaction in
      #expect(failure { _ = try contacts.get(id) } != nil)
      try transaction.put(Contact("Grace"))
    }
    #expect(try contacts.count() == 3)
    try dynamic.put(["id": id, "address": #"{"city":"x","street":"y"}"#, "former": "[]"])
    #expect(try contacts.get(id)?.address == Address(city: "x", street: "y"))
  }

  @Test func `a missing key and an unknown case are told by name`() throws {
    let id = try put(address: #"{"city":"x"}"#)
    #expect("\(String(describing: failure { _ = try contacts.get(id) }))".contains("street"))
    let other = try dynamic.put(["name": "Alan", "level": #""middle""#])
    #expect("\(String(describing: failure { _ = try contacts.get(other) }))".contains("middle"))
    // Unknown keys are ignored.
    let more = try put(address: #"{"city":"x","country":"y","street":""}"#)
    #expect(try contacts.get(more)?.address.city == "x")
  }

  @Test func `a value that JSON lacks is refused, and nothing is written`() throws {
    let contact = Self.changed { $0.shape = .circle(radius: .nan) }
    let error = failure { try contacts.put(contact) }
    guard case .conversionFailed("Contact", "shape", _, let cause) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause is EncodingError)
    #expect("\(try #require(error))".hasPrefix("conversionFailed: cannot write 'Contact.shape'"))
    #expect(contact.id == 0)
    #expect(try contacts.isEmpty())
    #expect(failure { try contacts.put([Contact("Ada"), contact]) } != nil)
    #expect(try contacts.isEmpty())
    #expect(
      failure {
        try store.write { transaction in
          try transaction.put(Contact("Ada"))
          try transaction.put(contact)
        }
      } != nil
    )
    #expect(try contacts.isEmpty())
    #expect(failure { try contacts.async.put(contact) } != nil)
    contact.shape = .circle(radius: 1)
    try contacts.put(contact)
    #expect(try contacts.count() == 1)
  }

  // MARK: Conditions

  @Test func `conditions compare the text`() throws {
    try contacts.put([
      Contact("Ada", Address(city: "Berlin", street: "A")),
      Contact("Alan", Address(city: "London", street: "B")),
    ])
    func names(_ query: Query<Contact>) throws -> [String] { try query.find().map(\.name) }
    #expect(
      try names(contacts.query { Contact.address.contains(#""city":"Berlin""#) }.build()) == ["Ada"]
    )
    #expect(
      try names(contacts.query { Contact.address.startsWith(#"{"city":"L"#) }.build()) == ["Alan"]
    )
    #expect(
      try names(
        contacts.query { Contact.address == #"{"city":"London","street":"B"}"# }.build()
      ) == ["Alan"]
    )
    #expect(try names(contacts.query { .former == "[]" && .name == "Ada" }.build()) == ["Ada"])
    #expect(try names(contacts.query { .shape == #"{"square":{"side":2}}"# }.build()).count == 2)
    #expect(
      try contacts.query().ordered(by: Contact.address, flags: .descending).build().find().map(
        \.name
      )
        == ["Alan", "Ada"]
    )
  }

  @Test func `a unique value is refused a second time, and finds its object`() throws {
    try contacts.put(Contact("Ada", key: Key(number: 1, area: "a")))
    try contacts.put(Contact("Alan"))
    try contacts.put(Contact("Grace"))
    guard
      case .uniqueViolation = failure({
        try contacts.put(Contact("Eve", key: Key(number: 1, area: "a")))
      })
    else {
      Issue.record("no error")
      return
    }
    #expect(
      try contacts.get(where: Contact.key, equals: #"{"area":"a","number":1}"#)?.name == "Ada"
    )
    let text = #""LOW""#
    try contacts.put(Self.changed { $0.level = .low })
    let query = try contacts.query { Contact.level.isEqual(to: text, caseSensitive: false) }.build()
    #expect(try query.count() == 1)
  }

  // MARK: Handles

  @Test func `frozen handles show the value by name and the text by property`() throws {
    let contact = Contact("Ada", Address(city: "Berlin"))
    contact.shape = .circle(radius: 3)
    try contacts.put(contact)
    let frozen = try #require(try store.freeze().object(EntityId<Contact>(contact.id)))
    contact.address.city = "Rom"
    try contacts.put(contact)
    #expect(frozen.address == Address(city: "Berlin"))
    #expect(frozen.address.city == "Berlin")
    #expect(frozen.shape == .circle(radius: 3))
    #expect(try frozen[Contact.address] == #"{"city":"Berlin","street":""}"#)
    #expect(try frozen[Contact.key] == nil)
  }

  @Test @MainActor func `live handles go along with changes`() throws {
    let contact = Contact("Ada", Address(city: "Berlin"))
    try contacts.put(contact)
    let live = try store.live()
    let handle = try #require(try live.object(EntityId<Contact>(contact.id)))
    #expect(handle.address.city == "Berlin")
    try live.write { transaction in
      try transaction.modify(handle) { $0.address.city = "Rom" }
    }
    #expect(handle.address.city == "Rom")
    #expect(try handle[Contact.address] == #"{"city":"Rom","street":""}"#)
    // The handle keeps the last readable value.
    try dynamic.put(["id": contact.id, "name": "Ada", "address": "{"])
    try live.refresh()
    #expect(handle.address.city == "Rom")
    #expect(failure { _ = try handle.value() } != nil)
    live.invalidate()
  }
}
