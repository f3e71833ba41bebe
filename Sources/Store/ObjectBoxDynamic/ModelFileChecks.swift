internal import ObjectBox
internal import ObjectBoxJSON

/// Checks of a model file that ``ModelBuilder`` does not make.
struct ModelFileChecks {
  /// The target of a relation.
  enum Target {
    /// Of a to-one relation.
    case name(String)
    /// Of a to-many relation.
    case identity(SchemaIdentity)
  }

  private static let leastUID: UInt64 = 256

  /// True for a store's schema: its model was checked when it was made, or was built by hand with
  /// other numbers.
  var isFromStore = false

  private var uids: Set<UInt64> = []
  private var indexes: Set<UInt32> = []
  private var targets: [(target: Target, title: String, place: JSONPlace)] = []

  /// Records a UID of an entity, a property or a retired element; throws for a duplicate.
  mutating func note(uid: UInt64, at place: JSONPlace) throws {
    if isFromStore { return }
    guard uid >= Self.leastUID, uid <= UInt64(Int64.max) else {
      throw ModelFileFault(
        "the UID \(uid) is out of range, which is \(Self.leastUID) to \(Int64.max); "
          + ModelFile.restore
      ).error(at: place)
    }
    guard uids.insert(uid).inserted else {
      throw ModelFileFault("the UID \(uid) stands in the model file twice; \(ModelFile.restore)")
        .error(at: place)
    }
  }

  /// Records the ID of an index; throws for a duplicate.
  mutating func note(index id: ModelFileID) throws {
    guard indexes.insert(id.id).inserted else {
      throw ModelFileFault(
        "two indexes of the model have the ID \(id.id); after a merge, give the newer one the next ID "
          + "and raise lastIndexId"
      ).error(at: id.place)
    }
  }

  /// Checks that an ID is not above the highest assigned one.
  func check(_ id: ModelFileID, last: ModelFileID, key: String, _ title: String) throws {
    if isFromStore { return }
    if id.id > last.id {
      throw ModelFileFault(
        "\(title) has ID \(id.id), which is above \(key) with \(last.id); \(ModelFile.restore)"
      ).error(at: id.place)
    }
    if id.id == last.id, id.uid != last.uid {
      throw ModelFileFault(
        "\(title) has ID \(id.id) and UID \(id.uid), and \(key) gives that ID the UID \(last.uid); "
          + ModelFile.restore
      ).error(at: id.place)
    }
  }

  mutating func note(target name: String, of title: String, at place: JSONPlace) {
    targets.append((.name(name), title, place))
  }

  mutating func note(target id: ModelFileID, of title: String) {
    targets.append((.identity(SchemaIdentity(id: id.id, uid: id.uid)), title, id.place))
  }

  /// Checks the targets of all relations; called when all entities are known.
  func checkTargets(_ isKnown: (Target) -> Bool) throws {
    for (target, title, place) in targets where !isKnown(target) {
      let name =
        switch target {
        case .name(let name): "'\(name)'"
        case .identity(let identity): "the entity \(identity.id):\(identity.uid)"
        }
      throw ModelFileFault("\(title) leads to \(name), which is missing; \(ModelFile.restore)")
        .error(at: place)
    }
  }
}
