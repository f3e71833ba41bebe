/// An element of a model that has a UID and a name.
protocol ModelElement {
  var id: ModelID { get }
  var name: String { get }
  /// The element without its numbers, which are no reason for a conflict.
  var content: Self { get }
}

extension ModelDocument.Entity: ModelElement {
  var content: Self {
    var content = self
    content.id.id = 0
    content.lastPropertyID = .none
    content.properties = properties.map(\.content).sorted { $0.id.uid < $1.id.uid }
    content.compoundIndexes = compoundIndexes.map { index in
      var index = index
      index.id.id = 0
      for place in index.propertyIDs.indices { index.propertyIDs[place].id = 0 }
      return index
    }.sorted { $0.id.uid < $1.id.uid }
    content.relations = relations.map(\.content).sorted { $0.id.uid < $1.id.uid }
    return content
  }
}

extension ModelDocument.Property: ModelElement {
  var content: Self {
    var content = self
    content.id.id = 0
    content.indexID?.id = 0
    return content
  }
}

extension ModelDocument.Relation: ModelElement {
  var content: Self {
    var content = self
    content.id.id = 0
    content.targetID.id = 0
    return content
  }
}

/// The three versions of one element; nil where a version lacks it.
struct MergeTriple<Element> {
  var base: Element?
  var ours: Element?
  var theirs: Element?
}

extension MergeTriple where Element: ModelElement {
  /// Pairs elements by UID: those of ours in their order, then those that only theirs has.
  ///
  /// What neither side has any more is left out.
  static func pair(_ base: [Element], _ ours: [Element], _ theirs: [Element]) -> [Self] {
    func find(_ uid: UInt64, _ elements: [Element]) -> Element? {
      elements.first { $0.id.uid == uid }
    }
    let own = ours.map { element in
      Self(
        base: find(element.id.uid, base),
        ours: element,
        theirs: find(element.id.uid, theirs)
      )
    }
    let others = theirs.filter { find($0.id.uid, ours) == nil }
    return own + others.map { Self(base: find($0.id.uid, base), ours: nil, theirs: $0) }
  }
}
