internal import ObjectBox

extension ClusterBox {
  /// Passes the objects, in the order of their IDs, to a block that can stop.
  ///
  /// One round trip for 500 objects, and two at the end. A box of a cluster reads one version of the objects, in a
  /// separate transaction. To write during the visit, use the box of a transaction. No object is passed twice: a
  /// connection that is lost after the first object is an error.
  ///
  /// - Parameter visitor: Gets each object; false ends the visit.
  /// - Throws: The block's errors, at once; `ClusterError`.
  public func visit(visitor: (E) async throws -> Bool) async throws {
    var hasPassed = false
    try await reading(unless: { hasPassed }) { source in
      try await ClusterQuery(source, nil).visit { object in
        hasPassed = true
        return try await visitor(object)
      }
    }
  }

  /// Passes the objects, in the order of their IDs, to a block.
  ///
  /// Takes as many round trips as ``visit(visitor:)``.
  ///
  /// - Parameter visitor: Gets each object.
  /// - Throws: The block's errors, at once; `ClusterError`.
  public func forEach(_ visitor: (E) async throws -> Void) async throws {
    try await visit { object in
      try await visitor(object)
      return true
    }
  }

  /// Passes the objects with the given IDs to a block, in the order of `ids`.
  ///
  /// One round trip for 500 IDs.
  ///
  /// - Parameters:
  ///   - ids: IDs; for an ID without an object the block gets nil.
  ///   - visitor: Gets each object, or nil.
  /// - Throws: The block's errors, at once; `ClusterError`.
  public func `for`<C: Collection>(
    _ ids: C,
    in visitor: (E?) async throws -> Void
  ) async throws where C.Element == IdType {
    try await visit(ids) { object in
      try await visitor(object)
      return true
    }
  }

  /// Passes the objects with the given IDs to a block that can stop, in the order of `ids`.
  ///
  /// One round trip for 500 IDs.
  ///
  /// - Parameters:
  ///   - ids: IDs; for an ID without an object the block gets nil.
  ///   - visitor: Gets each object, or nil; false ends the visit.
  /// - Throws: The block's errors, at once; `ClusterError`.
  public func visit<C: Collection>(
    _ ids: C,
    in visitor: (E?) async throws -> Bool
  ) async throws where C.Element == IdType {
    let ids = Array(ids)
    let size = CursorStatements.batchSize
    var hasPassed = false
    try await reading(unless: { hasPassed }) { source in
      let box = ClusterBox(source)
      for start in stride(from: 0, to: ids.count, by: size) {
        let page = ids[start..<min(ids.count, start + size)]
        let found = try await box.found(page.map(\.value))
        var next = found.startIndex
        for id in page {
          var object: E?
          if next < found.endIndex, found[next].id == id.value {
            object = found[next].object
            next += 1
          }
          hasPassed = true
          guard try await visitor(object) else { return }
        }
      }
    }
  }

  /// Runs a body in the transaction of the box, or in a new read transaction.
  ///
  /// - Parameters:
  ///   - isOver: Returns true if the body cannot run again on another connection.
  ///   - body: Reads.
  /// - Throws: Errors of the body; `ClusterError`.
  private func reading(
    unless isOver: () -> Bool,
    _ body: (ReadSource) async throws -> Void
  ) async throws {
    switch source {
    case .transaction: try await body(source)
    case .newest(let cluster):
      try await cluster.read { transaction in
        guard !isOver() else {
          throw ClusterError.connectionLost(
            message:
              "the connection broke in the middle of a visit, whose block has seen objects; visit again, or those "
              + "behind the last one by a query"
          )
        }
        try await body(.transaction(transaction))
      }
    }
  }
}
