extension Device {
  /// Takes the model of the program; must be called before the program writes.
  ///
  /// - Parameter model: The synchronized entities of the program's model.
  /// - Throws: What the store throws.
  package mutating func open(_ model: ModelParts) throws {
    var models = try store.models ?? DeviceModels(own: model)
    models.open(model)
    if try models != store.models { try store.setModels(models) }
  }

  /// Takes the parts of the model that the server shares; must be called at each login, before anything
  /// else is sent or received.
  ///
  /// When the device lacks values of shared properties, since its program or the server was updated, its
  /// cursor is of no use: the log tells what changed, but not what a device never got. The server answers
  /// the next request with a reset, and only objects that differ travel.
  ///
  /// - Parameter shared: The entities, properties and relations that both know.
  /// - Throws: What the store throws.
  package mutating func begin(_ shared: ModelParts) throws {
    let last = try store.models
    guard last?.shared != shared else { return }
    var models = last ?? DeviceModels(own: shared)
    var state = try store.state
    // A store whose models were not kept may lack values too.
    let mayLackValues = models.begin(shared) || last?.shared == nil
    if mayLackValues, let cursor = state.cursor, ProtocolRule.gainedProperties.holds {
      state.cursor = cursor.lost
    } else {
      models.receiveAll()
    }
    // Answers under way have other parts, and so have the rows of a staged reset.
    if ProtocolRule.modelEditions.holds {
      state.edition = state.nextEdition
      try store.removeStagingArea()
    }
    try store.setState(state)
    try store.setModels(models)
  }

  /// Notes that a delta has brought all rows with the shared parts.
  mutating func noteReceived() throws {
    guard var models = try store.models else { return }
    let before = models
    models.receiveAll()
    if models != before { try store.setModels(models) }
  }

  /// Returns the part of a waiting transaction that keeps it from being uploaded: a part that the server
  /// does not know would be lost there.
  ///
  /// - Parameter index: The position in the queue.
  /// - Returns: The part, or nil if the transaction can be uploaded.
  /// - Throws: What the store throws.
  package func unknownPart(ofWaiting index: Int) throws -> ModelPart? {
    try uploadedParts?.unknownPart(of: store.waiting(at: index).transaction)
  }

  /// The parts that uploads may have; nil if the server knows everything that the program does.
  var uploadedParts: ModelParts? {
    get throws {
      guard ProtocolRule.unknownParts.holds, let models = try store.models,
        let shared = models.shared, shared != models.own
      else { return nil }
      return shared
    }
  }
}
