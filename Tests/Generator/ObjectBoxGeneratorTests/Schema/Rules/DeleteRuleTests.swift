import ObjectBoxGenerator
import ObjectBoxModelTools
import Testing

/// The annotation `onDelete`, from the sources to the model.
struct DeleteRuleTests {
  private func synchronize(
    _ source: String,
    _ model: ModelDocument = ModelDocument()
  ) -> ModelSynchronizer.Result {
    let built = SchemaBuilder.build([SourceFile(path: "A.swift", text: source)])
    #expect(built.diagnostics.map(\.description) == [])
    var uids = UIDGenerator(isDeterministic: true)
    return ModelSynchronizer.synchronize(
      built.schema,
      with: model,
      uids: &uids
    )
  }

  @Test(arguments: ["cascade", "restrict", "nullify"])
  func `rules of both kinds of relations stand in the model unless they are the usual one`(
    _ word: String
  ) throws {
    let model = synchronize(
      """
      class Order: Entity {
        var id: Id = 0
        // objectbox: onDelete = "\(word)"
        var buyer: ToOne<Buyer> = nil
        // objectbox: onDelete = \(word)
        var items: ToMany<Buyer> = nil
      }
      class Buyer: Entity { var id: Id = 0 }
      """
    ).model
    let stated = SchemaDeleteRule(rawValue: word).flatMap { $0 == .nullify ? nil : $0 }
    let entity = try #require(model.entities.first { $0.name == "Order" })
    #expect(entity.properties.map(\.onDelete) == [nil, stated])
    #expect(entity.relations.map(\.onDelete) == [stated])
    #expect(entity.relations.map(\.onTargetDelete) == [nil])
    #expect(model.text.contains("\"onDelete\": \"\(word)\"") == (stated != nil))
    #expect(ModelDocument.parse(model.text, path: "m").model == model)
  }

  @Test func `a backlink gives its rule to the relation that it is the other end of`() {
    let model = synchronize(
      """
      class Order: Entity { var id: Id = 0; var buyer: ToOne<Buyer> = nil; var all: ToMany<Buyer> = nil }
      class Buyer: Entity {
        var id: Id = 0
        // objectbox: backlink = "buyer", onDelete = "restrict"
        var orders: ToMany<Order> = nil
        // objectbox: backlink = "all", onDelete = "cascade"
        var others: ToMany<Order> = nil
      }
      """
    ).model
    let order = model.entities.first { $0.name == "Order" }
    #expect(order?.properties.map(\.onDelete) == [nil, .restrict])
    #expect(order?.relations.map(\.onDelete) == [nil])
    #expect(order?.relations.map(\.onTargetDelete) == [.cascade])
    #expect(ModelDocument.parse(model.text, path: "m").model == model)
  }

  @Test(arguments: [
    ("\"1️⃣casscade\"", "is 'casscade', which is unknown; did you mean 'cascade'?"),
    ("\"1️⃣delete\"", "is 'delete', which is unknown; write"), ("1️⃣{}", "is no word"),
    ("1️⃣1", "is '1', which is unknown"),
  ])
  func `an unknown rule is a fault`(_ value: String, _ text: String) {
    expectFindings(
      """
      class Order: Entity {
        var id: Id = 0
        // objectbox: onDelete = \(value)
        var buyer: ToOne<Order> = nil
      }
      """,
      ["1️⃣ error: \(text)"]
    )
  }

  @Test func `a rule on a property that is no relation is a fault`() {
    expectFindings(
      "struct Note: Entity { var id: Id\n// objectbox: 1️⃣onDelete = cascade\nvar it: Int }",
      ["1️⃣ error: cannot be used on 'Note.it', which is no relation"]
    )
  }

  @Test func `two rules of one relation that contradict each other are a fault`() {
    expectFindings(
      """
      class Order: Entity {
        var id: Id = 0
        // objectbox: onDelete = "nullify"
        var 1️⃣buyer: ToOne<Buyer> = nil
      }
      class Buyer: Entity {
        var id: Id = 0
        // objectbox: backlink = "buyer", onDelete = "cascade"
        var 2️⃣orders: ToMany<Order> = nil
      }
      """,
      [
        "2️⃣ error: 'cascade', and another annotation of the same relation, 'Order.buyer', says 'nullify'"
      ]
    )
  }

  @Test func `another rule is a change of the model, and told with its effect`() throws {
    func source(_ rule: String) -> String {
      """
      class Order: Entity {
        var id: Id = 0
        // objectbox: onDelete = \(rule)
        var buyer: ToOne<Order> = nil
        // objectbox: onDelete = \(rule)
        var all: ToMany<Order> = nil
      }
      """
    }
    let first = synchronize(source("nullify")).model
    let second = synchronize(source("cascade"), first)
    #expect(
      second.changes.map(\.text) == [
        "the onDelete of property 'buyer' of entity 'Order' was nullify, and is cascade",
        "the onDelete of relation 'all' of entity 'Order' was 'nullify', and is 'cascade'",
      ]
    )
    #expect(second.changes.allSatisfy { $0.effect.text.contains("later removals follow") })
  }

  @Test func `a merge takes the rule of the side that changed it, and tells two changes`() throws {
    func source(_ rule: String) -> String {
      "class A: Entity {\nvar id: Id = 0\n// objectbox: onDelete = \(rule)\nvar a: ToOne<A> = nil\n"
        + "// objectbox: onDelete = \(rule)\nvar all: ToMany<A> = nil\n}"
    }
    let base = synchronize(source("nullify")).model
    let ours = synchronize(source("cascade"), base).model
    let theirs = synchronize(source("restrict"), base).model
    func merge(_ ours: ModelDocument, _ theirs: ModelDocument) -> ModelMerge.Result {
      ModelMerge.merge(
        base: base,
        ours: ours,
        theirs: theirs,
        places: ElementPlaces(text: ours.text, path: "model.json")
      )
    }
    #expect(merge(ours, base).model == ours)
    #expect(merge(base, theirs).model == theirs)
    let conflict = merge(ours, theirs)
    #expect(conflict.model == nil)
    #expect(conflict.diagnostics.filter(\.isError).count == 2)
  }

  @Test func `a model file with another word is refused`() {
    let model = synchronize(
      "class A: Entity {\nvar id: Id = 0\n// objectbox: onDelete = cascade\nvar a: ToOne<A> = nil }"
    ).model
    let text = model.text.replacing("\"cascade\"", with: "\"all\"")
    let read = ModelDocument.parse(text, path: "model.json")
    #expect(read.model == nil)
    #expect(read.diagnostics.first?.message.text.contains("the onDelete is") == true)
  }
}
