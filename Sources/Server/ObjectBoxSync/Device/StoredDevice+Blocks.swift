internal import ObjectBox
internal import ObjectBoxSyncProtocol

/// The IDs of new objects: leased ones, then IDs of random blocks.
extension StoredDevice {
  /// The number of IDs of a random block.
  private static let blockSize: UInt64 = 1 << 20

  /// Gives the entities the IDs of the state in place of their own.
  func openBlocks() {
    for (uid, entity) in model.entities {
      let own = state.leases.filter { $0.entity == uid }.map(\.ids)
      entity.table.changeBlocks { $0 = own.sorted { $0.lowerBound < $1.lowerBound } }
    }
    fillBlocks()
  }

  /// Gives an entity leased IDs, which are used before IDs of random blocks.
  func add(_ block: IDBlock) {
    model[block.entity]?.table.changeBlocks { blocks in
      let place = blocks.firstIndex { $0.lowerBound > block.ids.lowerBound } ?? blocks.endIndex
      blocks.insert(block.ids, at: place)
    }
    keepBlocks()
  }

  /// Creates random blocks for entities with few IDs.
  func fillBlocks() {
    for entity in model.ordered {
      let count = entity.table.blocks.reduce(0) { $0 + $1.count }
      guard count < Int(Self.blockSize) / 2 else { continue }
      entity.table.changeBlocks { $0.append(Self.randomBlock(of: entity.uid).ids) }
    }
    keepBlocks()
  }

  /// Stores the unused IDs of the entities.
  func keepBlocks() {
    var leases: [IDBlock] = []
    leases.reserveCapacity(state.leases.count)
    for entity in model.ordered {
      for ids in entity.table.blocks { leases.append(IDBlock(entity: entity.uid, ids: ids)) }
    }
    guard leases != state.leases else { return }
    var state = state
    state.leases = leases
    setState(state)
  }

  /// The number of unused leased IDs of each entity that leases IDs.
  var leasedCounts: [(entity: EntityUID, count: Int)] {
    model.entities.values.filter { !$0.isAssignable }.map { entity in
      let leased = entity.table.blocks.filter { $0.lowerBound < IDBlock.leasedLimit }
      return (entity.uid, leased.reduce(0) { $0 + $1.count })
    }.sorted { $0.entity < $1.entity }
  }

  private static func randomBlock(of entity: EntityUID) -> IDBlock {
    let number = UInt64.random(in: IDBlock.leasedLimit / blockSize..<(1 << 62) / blockSize)
    return IDBlock(entity: entity, ids: number * blockSize..<(number + 1) * blockSize)
  }
}
