internal import ObjectBox

extension ClusterBox {
  /// Objects that a visit reads in one round trip.
  private static var pageSize: Int64 { 500 }

  /// Passes the objects, in the order of their IDs, to a block that can stop.
  ///
  /// One round trip for 500 objects. A box of a cluster reads all at one version, in a transaction of its own; to
  /// write meanwhile, visit the box of a transaction.
  ///
  /// - Parameter visitor: Gets each object; false ends the visit.
  /// - Throws: The block's errors, at once; `ClusterError`.
  public func visit(visitor: (E) async throws -> Bool) async throws {
    let table = try table()
    try await reading { source in
      var last: UInt64 = 0
      let decoding = decoding(table)
      while true {
        let page = try await source.run([
          Statement(table.selectPage) { parameters in
            parameters.append(id: last)
            parameters.append(Self.pageSize)
          }
        ])[0]
        for row in 0..<page.count {
          guard try await visitor(decoding.object(page, row)) else { return }
        }
        guard page.count == Int(Self.pageSize),
          let id = page.integer(page.count - 1, 0, as: UInt64.self)
        else { return }
        last = id
      }
    }
  }

  /// Passes the objects, in the order of their IDs, to a block.
  ///
  /// As many round trips as ``visit(visitor:)``.
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
  ///   - ids: IDs; for one without an object the block gets nil.
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
  ///   - ids: IDs; for one without an object the block gets nil.
  ///   - visitor: Gets each object, or nil; false ends the visit.
  /// - Throws: The block's errors, at once; `ClusterError`.
  public func visit<C: Collection>(
    _ ids: C,
    in visitor: (E?) async throws -> Bool
  ) async throws where C.Element == IdType {
    let ids = Array(ids)
    try await reading { source in
      let box = ClusterBox(source)
      for start in stride(from: 0, to: ids.count, by: Int(Self.pageSize)) {
        let page = ids[start..<min(ids.count, start + Int(Self.pageSize))]
        let found = try await box.found(page.map(\.value))
        var next = found.startIndex
        for id in page {
          var object: E?
          if next < found.endIndex, found[next].id == id.value {
            object = found[next].object
            next += 1
          }
          guard try await visitor(object) else { return }
        }
      }
    }
  }

  /// Runs a body in the transaction of the box, or in a read transaction of its own.
  private func reading(_ body: (ReadSource) async throws -> Void) async throws {
    switch source {
    case .transaction: try await body(source)
    case .newest(let cluster): try await cluster.read { try await body(.transaction($0)) }
    }
  }
}
