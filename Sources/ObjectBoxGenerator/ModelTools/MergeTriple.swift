/// The three versions of an element; nil where a version lacks it.
struct MergeTriple<Element: ModelElement> {
  var base: Element?
  var ours: Element?
  var theirs: Element?

  /// Pairs elements by UID: those of ours in their order, then those that only theirs has.
  ///
  /// Elements that only the base has are left out.
  static func pair(_ base: [Element], _ ours: [Element], _ theirs: [Element]) -> [Self] {
    let others = theirs.filter { ours[uid: $0.id.uid] == nil }
    return (ours + others).map { element in
      let uid = element.id.uid
      return Self(base: base[uid: uid], ours: ours[uid: uid], theirs: theirs[uid: uid])
    }
  }

  /// Pairs the elements of a list of an owner.
  static func pair<Owner>(
    _ list: KeyPath<Owner, [Element]>,
    of owner: MergeTriple<Owner>
  ) -> [Self] {
    pair(
      owner.base?[keyPath: list] ?? [],
      owner.ours?[keyPath: list] ?? [],
      owner.theirs?[keyPath: list] ?? []
    )
  }
}
