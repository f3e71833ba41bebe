internal import ObjectBoxGenerator

/// The three versions of a node; nil where a version lacks the node.
struct MergeTriple<Node: ModelNode> {
  var base: Node?
  var ours: Node?
  var theirs: Node?

  /// Pairs the elements of a list by UID: elements of ours in their order, then elements that only
  /// theirs has.
  ///
  /// Elements that only the base has are left out.
  func pairs<Element: ModelElement>(of list: KeyPath<Node, [Element]>) -> [MergeTriple<Element>] {
    let base = base?[keyPath: list] ?? []
    let ours = ours?[keyPath: list] ?? []
    let theirs = theirs?[keyPath: list] ?? []
    return (ours + theirs.filter { ours[uid: $0.id.uid] == nil }).map { element in
      let uid = element.id.uid
      return MergeTriple<Element>(
        base: base[uid: uid],
        ours: ours[uid: uid],
        theirs: theirs[uid: uid]
      )
    }
  }
}
