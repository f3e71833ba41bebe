public import Dispatch

/// Each search of a subscription uses the query's parameters at that time.
///
/// Setting a parameter starts no search; the next commit does.
///
/// Changes of entities in links count like changes of the query's own entity.
extension Query {
  /// Calls a handler after each commit that put or removed objects of the query's entity.
  ///
  /// - Parameters:
  ///   - dispatchQueue: The callback queue of the handler. Something must run the main queue: an
  ///     app, `dispatchMain()`, or an asynchronous `main`.
  ///   - flags: `sendInitial` calls the handler once at the beginning.
  ///   - changeHandler: Called once for each commit, after it, even when the results are the same;
  ///     it may read and write.
  /// - Returns: The subscription; releasing it unsubscribes.
  public func subscribe(
    dispatchQueue: DispatchQueue = .main,
    flags: Observer.Flags = [.sendInitial],
    changeHandler: @escaping () -> Void
  ) -> Observer {
    Observer(ResultSource(self), flags, dispatchQueue, changeHandler)
  }

  /// Passes the results to a handler, now and after each commit that put or removed objects of the
  /// query's entity.
  ///
  /// The search runs on the queue just before the handler is called. Several calls may pass the
  /// same results.
  ///
  ///     let query = try notes.query { Note.isPinned == true }.build()
  ///     observer = query.subscribe(resultHandler: { pinned, error in
  ///       if error == nil { print(pinned.map(\.title)) }
  ///     })
  ///
  /// - Parameters:
  ///   - dispatchQueue: The queue of the search and of the handler. Something must run the
  ///     main queue: an app, `dispatchMain()`, or an asynchronous `main`.
  ///   - flags: `sendInitial` passes the current results; with `dontSubscribe`, only these.
  ///   - resultHandler: Called once for each commit with the results, or with no results and an
  ///     error. It may write.
  /// - Returns: The subscription; releasing it unsubscribes.
  public func subscribe(
    dispatchQueue: DispatchQueue = .main,
    flags: Observer.Flags = [.sendInitial],
    resultHandler: @escaping ([E], ObjectBoxError?) -> Void
  ) -> Observer {
    ResultSource(self).observe(flags, dispatchQueue, resultHandler)
  }

  /// Passes the results to a handler; see ``subscribe(dispatchQueue:flags:resultHandler:)``.
  public func subscribeContiguous(
    dispatchQueue: DispatchQueue = .main,
    flags: Observer.Flags = [.sendInitial],
    resultHandler: @escaping (ContiguousArray<E>, ObjectBoxError?) -> Void
  ) -> Observer {
    subscribe(dispatchQueue: dispatchQueue, flags: flags) {
      resultHandler(ContiguousArray($0), $1)
    }
  }
}
