public import Dispatch

/// Handlers that are made on the main actor are isolated to it: keep the queue `.main`, or mark the
/// handlers `@Sendable`.
extension Box {
  /// Calls a handler after each commit that put or removed objects of this box.
  ///
  /// - Parameters:
  ///   - dispatchQueue: The callback queue of the handler. Something must run the main queue: an
  ///     app, `dispatchMain()`, or an asynchronous `main`.
  ///   - flags: `sendInitial` calls the handler once at the beginning. `dontSubscribe` without it
  ///     stops the process.
  ///   - changeHandler: Called once for each commit, after it; it may read and write.
  /// - Returns: The subscription; releasing it unsubscribes.
  public func subscribe(
    dispatchQueue: DispatchQueue = .main,
    flags: Observer.Flags = [.sendInitial],
    changeHandler: @escaping () -> Void
  ) -> Observer {
    Observer(source(for: flags), flags, dispatchQueue, changeHandler)
  }

  /// Passes all objects to a handler, now and after each commit that put or removed objects of this
  /// box.
  ///
  /// Objects are read just before the handler is called, so commits in quick succession may pass
  /// the same objects.
  ///
  ///     observer = notes.subscribe(resultHandler: { all, error in
  ///       if let error { print(error) } else { print("\(all.count) notes") }
  ///     })
  ///
  /// - Parameters:
  ///   - dispatchQueue: The callback queue of the handler. Something must run the main queue: an
  ///     app, `dispatchMain()`, or an asynchronous `main`.
  ///   - flags: `sendInitial` passes the current objects. `dontSubscribe` alone stops the process;
  ///     both together pass the current objects once.
  ///   - resultHandler: Called once for each commit with all objects, or with no objects and an
  ///     error. It may write.
  /// - Returns: The subscription; releasing it unsubscribes.
  public func subscribe(
    dispatchQueue: DispatchQueue = .main,
    flags: Observer.Flags = [.sendInitial],
    resultHandler: @escaping ([E], ObjectBoxError?) -> Void
  ) -> Observer {
    source(for: flags).observe(flags, dispatchQueue, resultHandler)
  }

  /// Passes all objects to a handler; see ``subscribe(dispatchQueue:flags:resultHandler:)``.
  public func subscribeContiguous(
    dispatchQueue: DispatchQueue = .main,
    flags: Observer.Flags = [.sendInitial],
    resultHandler: @escaping (ContiguousArray<E>, ObjectBoxError?) -> Void
  ) -> Observer {
    subscribe(dispatchQueue: dispatchQueue, flags: flags) {
      resultHandler(ContiguousArray($0), $1)
    }
  }

  private func source(for flags: Observer.Flags) -> ResultSource<E> {
    precondition(
      !flags.contains(.dontSubscribe) || flags.contains(.sendInitial),
      "a subscription with dontSubscribe and without sendInitial would never call its handler"
    )
    return ResultSource(self)
  }
}
