import ObjectBox
import ObjectBoxCluster

/// A struct with a constant ID, and relations of all kinds.
// objectbox: entity
struct Pupil {
  let id: EntityId<Pupil>
  var name: String
  var best: ToOne<Pupil>
  var courses: ToMany<Course>
  // objectbox: backlink = "best"
  var fans: ToMany<Pupil>
}

// objectbox: entity
final class Course {
  var id: Id = 0
  var name: String = ""
  // objectbox: backlink = "courses"
  var pupils: ToMany<Pupil> = nil

  init() {}

  init(_ name: String) {
    self.name = name
  }
}

/// Stays while it has members.
// objectbox: entity
final class Club {
  var id: Id = 0
  var name: String = ""
  // objectbox: onDelete = "restrict"
  var members: ToMany<Member> = nil

  init() {}

  init(_ name: String) {
    self.name = name
  }
}

/// Its removal removes its teams.
// objectbox: entity
final class Member {
  var id: Id = 0
  var name: String = ""
  // objectbox: backlink = "players", onDelete = "cascade"
  var teams: ToMany<Team> = nil

  init() {}

  init(_ name: String) {
    self.name = name
  }
}

// objectbox: entity
final class Team {
  var id: Id = 0
  var name: String = ""
  var players: ToMany<Member> = nil
  // objectbox: onDelete = "restrict"
  var rival: ToOne<Team> = nil

  init() {}

  init(_ name: String) {
    self.name = name
  }
}

/// Has unique texts that ignore case, and a compound index.
// objectbox: entity
// objectbox: indexTogether = ["name", "age"]
final class Login {
  var id: Id = 0
  // objectbox: unique, collation = "nocase"
  var address: String?
  // objectbox: index
  var name: String = ""
  var age: Int32 = 0

  init() {}

  init(_ address: String?, name: String = "", age: Int32 = 0) {
    self.address = address
    self.name = name
    self.age = age
  }
}
