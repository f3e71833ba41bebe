extension Device {
  /// Sets the model of the program; must be called before the program writes.
  ///
  /// - Parameter model: The synchronized entities of the program's model.
  /// - Throws: Errors of the store.
  package mutating func open(_ model: ModelParts) throws {
    var models = try store.models ?? DeviceModels(own: model)
    models.open(model)
    if try models != store.models { try store.setModels(models) }
  }

  /// Sets the parts of the model that the server shares; must be called at each login, before anything else is sent or
  /// received.
  ///
  /// After an update of the program or the server, the device may lack values of shared properties. It then gives up
  /// its cursor, since the log has changes only, not values that the device never received. The server answers the next
  /// request with a reset, and only objects that differ travel.
  ///
  /// - Parameter shared: The entities, properties and relations that both know.
  /// - Throws: Errors of the store.
  package mutating func begin(_ shared: ModelParts) throws {
    let last = try store.models
    guard last?.shared != shared else { return }
    var models = last ?? DeviceModels(own: shared)
    var state = try store.state
    // A store without recorded models may lack values too.
    let mayLackValues = models.begin(shared) || last?.shared == nil
    if mayLackValues, let cursor = state.cursor, ProtocolRule.gainedProperties.holds {
      state.cursor = cursor.lost
    } else {
      models.receiveAll()
    }
    // Answers that are under way have other parts of the model, and so do the rows of a staged reset.
    if ProtocolRule.modelEditions.holds {
      state.edition = state.nextEdition
      try store.removeStagingArea()
    }
    try store.setState(state)
    try store.setModels(models)
  }

  /// Records that a delta has brought all rows with the shared parts.
  mutating func noteReceived() throws {
    guard var models = try store.models else { return }
    let before = models
    models.receiveAll()
    if models != before { try store.setModels(models) }
  }

  /// Returns a part of a waiting transaction that the server does not know.
  ///
  /// The transaction is not uploaded, since the server would drop that part.
  ///
  /// - Parameter index: The position in the queue.
  /// - Returns: The part, or nil if the transaction can be uploaded.
  /// - Throws: Errors of the store.
  package func unknownPart(ofWaiting index: Int) throws -> ModelPart? {
    try uploadedParts?.unknownPart(of: store.waiting(at: index).transaction)
  }

  /// The parts that uploads may contain; nil if the server knows the whole model of the program.
  var uploadedParts: ModelParts? {
    get throws {
      guard ProtocolRule.unknownParts.holds, let models = try store.models,
        let shared = models.shared, shared != models.own
      else { return nil }
      return shared
    }
  }
}
