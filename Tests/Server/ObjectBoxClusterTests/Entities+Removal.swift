import ObjectBox
import ObjectBoxCluster

/// Has relations of all kinds and delete rules, together with ``Lid``.
// objectbox: entity
final class Crate {
  var id: Id = 0
  var beside: ToOne<Crate> = nil
  // objectbox: onDelete = "cascade"
  var inside: ToOne<Crate> = nil
  // objectbox: onDelete = "restrict"
  var guarded: ToOne<Lid> = nil
  var parts: ToMany<Crate> = nil
  // objectbox: onDelete = "cascade"
  var lids: ToMany<Lid> = nil
  var seals: ToMany<Lid> = nil
  // objectbox: backlink = "fits", onDelete = "cascade"
  var fitting: ToMany<Lid> = nil

  init() {}
}

// objectbox: entity
final class Lid {
  var id: Id = 0
  // objectbox: onDelete = "cascade"
  var crate: ToOne<Crate> = nil
  // objectbox: onDelete = "restrict"
  var fits: ToMany<Crate> = nil
  // objectbox: backlink = "seals", onDelete = "restrict"
  var sealed: ToMany<Crate> = nil

  init() {}
}
