import ObjectBox

/// An entity of the workloads; the entities differ only in their indexes.
protocol Measured: Entity {
  var id: Id { get set }
  var name: String { get set }
  var age: Int32 { get set }
  var score: Double { get set }
  var active: Bool { get set }
  var created: Int64 { get set }
  var note: String { get set }
  init()
}

/// An object of the data set, without an index.
// objectbox: entity
final class Plain: Measured {
  var id: Id = 0
  var name: String = ""
  var age: Int32 = 0
  var score: Double = 0
  var active: Bool = false
  var created: Int64 = 0
  var note: String = ""
  init() {}
}

/// An object of the data set, with an index on the name's hash and an index on the age.
// objectbox: entity
final class Indexed: Measured {
  var id: Id = 0
  // objectbox: index = hash64
  var name: String = ""
  // objectbox: index
  var age: Int32 = 0
  var score: Double = 0
  var active: Bool = false
  var created: Int64 = 0
  var note: String = ""
  init() {}
}

/// An object of the data set, with a unique name.
// objectbox: entity
final class Unique: Measured {
  var id: Id = 0
  // objectbox: unique, index = hash64
  var name: String = ""
  var age: Int32 = 0
  var score: Double = 0
  var active: Bool = false
  var created: Int64 = 0
  var note: String = ""
  init() {}
}

/// An object of the data set as a struct, without an index.
struct Flat: Entity {
  var id: Id
  var name: String
  var age: Int32
  var score: Double
  var active: Bool
  var created: Int64
  var note: String
}

/// A vector of 128 numbers with a nearest-neighbour index of the default parameters.
// objectbox: entity
final class Embedded {
  var id: Id = 0
  // objectbox:hnswIndex: dimensions=128
  var vector: [Float] = []
  init() {}
  init(vector: [Float]) { self.vector = vector }
}

/// A vector with properties for conditions beside a search for nearest neighbours.
// objectbox: entity
final class Labelled {
  var id: Id = 0
  // objectbox:hnswIndex: dimensions=128
  var vector: [Float] = []
  /// A random number below 1,000.
  // objectbox: index
  var label: Int32 = 0
  /// The cluster of the vector.
  // objectbox: index
  var cluster: Int32 = 0
  init() {}
  init(vector: [Float], label: Int32, cluster: Int32) {
    self.vector = vector
    self.label = label
    self.cluster = cluster
  }
}
