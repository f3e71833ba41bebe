public import Dispatch

/// Subscriptions follow the query: each search uses the parameters that the query has when the search begins.
/// Setting a parameter starts no search; the next commit does.
///
/// Changes of entities in links count like those of the query's own entity.
extension Query {
  /// Calls a handler after each commit that put or removed objects of the query's entity.
  ///
  /// - Parameters:
  ///   - dispatchQueue: The callback queue of the handler. Something must run the main queue: an app,
  ///     `dispatchMain()`, or an asynchronous `main`.
  ///   - flags: `sendInitial` calls the handler once at the beginning.
  ///   - changeHandler: Called once a commit, later than the commit, also when the results are the same; it
  ///     may read and write.
  /// - Returns: The subscription, which ends with its life.
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
  /// The search runs on the queue just before the handler is called. The handler may be called with the same
  /// results again.
  ///
  /// - Parameters:
  ///   - dispatchQueue: The queue of the search and of the handler. Something must run the
  ///     main queue: an app, `dispatchMain()`, or an asynchronous `main`.
  ///   - flags: `sendInitial` passes the present results; with `dontSubscribe` these and no others.
  ///   - resultHandler: Called once a commit with the results, or with none and an error. It may write.
  /// - Returns: The subscription, which ends with its life.
  public func subscribe(
    dispatchQueue: DispatchQueue = .main,
    flags: Observer.Flags = [.sendInitial],
    resultHandler: @escaping ([E], ObjectBoxError?) -> Void
  ) -> Observer {
    ResultSource(self).observe(flags, dispatchQueue, resultHandler)
  }

  /// Passes the objects to a handler, as ``subscribe(dispatchQueue:flags:resultHandler:)`` does.
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
