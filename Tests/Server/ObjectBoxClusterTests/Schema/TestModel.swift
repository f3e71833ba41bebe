import ObjectBox
import ObjectBoxDynamic
import ObjectBoxJSON

/// A model under construction, whose IDs follow from the order of its elements.
///
/// UIDs identify elements; two models with the same UIDs are versions of each other.
struct TestModel {
  private var entities: [String] = []
  private var lastEntity = "0:0"
  private var lastIndex = (id: 0, uid: UInt64(0))
  private var lastRelation = (id: 0, uid: UInt64(0))

  struct Entity {
    fileprivate var properties: [String] = []
    fileprivate var relations: [String] = []
    fileprivate var compound: [String] = []
    fileprivate var fullText: [String] = []
    fileprivate var numbers: [UInt64: Int] = [:]
    fileprivate var last = "0:0"
    fileprivate var lastNumber = 0
    fileprivate var lastIndex: (id: Int, uid: UInt64)
    fileprivate var lastRelation: (id: Int, uid: UInt64)

    /// Adds a property; `more` has further JSON members.
    mutating func property(
      _ name: String,
      _ uid: UInt64,
      _ type: PropertyType,
      flags: Int = 0,
      index: UInt64? = nil,
      target: String? = nil,
      _ more: String = ""
    ) {
      lastNumber += 1
      numbers[uid] = lastNumber
      last = "\(lastNumber):\(uid)"
      var text = #"{"id":"\#(last)","name":"\#(name)","type":\#(type.rawValue),"flags":\#(flags)"#
      if let index {
        lastIndex = (lastIndex.id + 1, index)
        text += #","indexId":"\#(lastIndex.id):\#(index)""#
      }
      if let target { text += #","relationTarget":"\#(target)""# }
      properties.append(text + (more.isEmpty ? "" : "," + more) + "}")
    }

    /// Adds a compound index.
    mutating func together(_ uids: [UInt64], _ index: UInt64, isUnique: Bool) {
      lastIndex = (lastIndex.id + 1, index)
      let list = uids.map { #""\#(numbers[$0] ?? 0):\#($0)""# }.joined(separator: ",")
      compound.append(
        #"{"id":"\#(lastIndex.id):\#(index)","properties":[\#(list)],"unique":\#(isUnique)}"#
      )
    }

    /// Adds a full-text index; `more` has its properties and further JSON members.
    mutating func fullText(_ index: UInt64, _ more: String) {
      lastIndex = (lastIndex.id + 1, index)
      fullText.append(#"{"id":"\#(lastIndex.id):\#(index)",\#(more)}"#)
    }

    /// Adds a standalone relation to an entity.
    mutating func relation(_ uid: UInt64, to target: String) {
      lastRelation = (lastRelation.id + 1, uid)
      relations.append(
        #"{"id":"\#(lastRelation.id):\#(uid)","name":"relation\#(uid)","targetId":"\#(target)"}"#
      )
    }

    /// Skips the number of a property that an earlier model had.
    mutating func skip(_ uid: UInt64) {
      lastNumber += 1
      last = "\(lastNumber):\(uid)"
    }
  }

  /// Adds an entity.
  mutating func entity(_ name: String, _ uid: UInt64, _ body: (inout Entity) -> Void) {
    var entity = Entity(lastIndex: lastIndex, lastRelation: lastRelation)
    body(&entity)
    lastIndex = entity.lastIndex
    lastRelation = entity.lastRelation
    numberOfEntities += 1
    lastEntity = "\(numberOfEntities):\(uid)"
    entities.append(
      #"{"id":"\#(lastEntity)","name":"\#(name)","lastPropertyId":"\#(entity.last)","#
        + #""properties":[\#(entity.properties.joined(separator: ","))],"#
        + #""relations":[\#(entity.relations.joined(separator: ","))],"#
        + #""compoundIndexes":[\#(entity.compound.joined(separator: ","))],"#
        + #""fullTextIndexes":[\#(entity.fullText.joined(separator: ","))]}"#
    )
  }

  /// Skips the number of an entity that an earlier model had.
  mutating func skip(_ uid: UInt64) {
    numberOfEntities += 1
    lastEntity = "\(numberOfEntities):\(uid)"
  }

  /// Skips the number of an index that an earlier model had.
  mutating func skip(index uid: UInt64) { lastIndex = (lastIndex.id + 1, uid) }

  private var numberOfEntities = 0

  /// The text of a model file.
  var json: String {
    #"{"entities":[\#(entities.joined(separator: ","))],"lastEntityId":"\#(lastEntity)","#
      + #""lastIndexId":"\#(lastIndex.id):\#(lastIndex.uid)","#
      + #""lastRelationId":"\#(lastRelation.id):\#(lastRelation.uid)","modelVersion":5}"#
  }

  func schema() throws -> StoreSchema {
    try StoreSchema(modelJSON: JSONParser.parse(json, path: "model.json"))
  }
}
