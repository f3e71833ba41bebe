#if canImport(Combine)
  public import Combine
  public import Dispatch

  /// Publishes all objects of a box, now and after each commit that changed them.
  public struct BoxPublisher<E>: Publisher
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    /// All objects.
    public typealias Output = [E]
    /// An error of reading.
    public typealias Failure = ObjectBoxError

    let source: ResultSource<E>

    /// Delivers to a subscriber on the main queue.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == [E], S.Failure == ObjectBoxError {
      receive(subscriber: subscriber, dispatchQueue: .main)
    }

    /// Delivers to a subscriber on a queue.
    public func receive<S: Subscriber>(subscriber: S, dispatchQueue: DispatchQueue)
    where S.Input == [E], S.Failure == ObjectBoxError {
      PublishedResults(source, subscriber).begin(on: dispatchQueue)
    }
  }

  /// Publishes the results of a query, now and after each commit that changed objects of its
  /// entity.
  public struct QueryPublisher<E>: Publisher
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    /// The results.
    public typealias Output = [E]
    /// An error of the search.
    public typealias Failure = ObjectBoxError

    let source: ResultSource<E>

    /// Delivers to a subscriber on the main queue.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == [E], S.Failure == ObjectBoxError {
      receive(subscriber: subscriber, dispatchQueue: .main)
    }

    /// Delivers to a subscriber on a queue.
    public func receive<S: Subscriber>(subscriber: S, dispatchQueue: DispatchQueue)
    where S.Input == [E], S.Failure == ObjectBoxError {
      PublishedResults(source, subscriber).begin(on: dispatchQueue)
    }
  }

  extension Box {
    /// Publishes all objects, now and after each commit that changed them.
    public var publisher: BoxPublisher<E> { BoxPublisher(source: ResultSource(self)) }
  }

  extension Query {
    /// Publishes the results, now and after each commit that changed objects of the entity.
    ///
    /// Each search uses the query's parameters at that time. Setting a parameter publishes nothing.
    public var publisher: QueryPublisher<E> { QueryPublisher(source: ResultSource(self)) }
  }

  extension Observer: Combine.Subscription {
    /// Does nothing: an observer has no backpressure.
    public func request(_ demand: Subscribers.Demand) {}

    /// Unsubscribes.
    public func cancel() { unsubscribe() }
  }

  /// The undelivered events of a subscriber.
  private struct PublishedNews: Sendable {
    /// True at the beginning, for the initial results.
    var hasChange = true
    /// True after the store was closed.
    var isEnd = false

    mutating func takeChange() -> Bool {
      defer { hasChange = false }
      return hasChange
    }
  }

  /// The subscription of one subscriber: sends results when there are both a change and a demand.
  ///
  /// Invariant of `@unchecked Sendable`: all variables are guarded. The subscriber is called on the
  /// queue only, except by `begin`.
  private final class PublishedResults<E, S: Subscriber>: Combine.Subscription, @unchecked Sendable
  where
    E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType, S.Input == [E],
    S.Failure == ObjectBoxError
  {
    private struct State {
      /// Nil after the end.
      var subscriber: S?
      var token: NotificationToken?
      var delivery: Delivery?
      var demand = Subscribers.Demand.none
    }

    private let source: ResultSource<E>
    private let state: Guarded<State>
    private let news = Guarded(PublishedNews())

    init(_ source: ResultSource<E>, _ subscriber: S) {
      self.source = source
      state = Guarded(State(subscriber: subscriber))
    }

    func begin(on queue: DispatchQueue) {
      let delivery = Delivery(to: DeliveryTarget(queue), isCoalescing: true) { [self] in deliver() }
      let subscriber = state.withLock { state in
        state.delivery = delivery
        return state.subscriber
      }
      subscriber?.receive(subscription: self)
      let news = news
      let token = source.subscribe(
        CommitSignal {
          news.withLock { $0.hasChange = true }
          delivery.request()
        },
        onEnd: {
          news.withLock { $0.isEnd = true }
          delivery.request()
        }
      )
      delivery.request()
      let wasCancelled = state.withLock { state in
        state.token = token
        return state.subscriber == nil
      }
      if wasCancelled { token?.invalidate() }
    }

    func request(_ demand: Subscribers.Demand) {
      let delivery = state.withLock { state in
        state.demand += demand
        return state.delivery
      }
      delivery?.request()
    }

    func cancel() {
      let old = state.withLock { state in
        defer { state = State(subscriber: nil) }
        return state
      }
      old.delivery?.end()
      old.token?.invalidate()
    }

    private func deliver() {
      if news.withLock(\.isEnd) { return finish(.finished) }
      let subscriber: S? = state.withLock { state in
        guard state.demand > .none, news.withLock({ $0.takeChange() }) else { return nil }
        state.demand -= 1
        return state.subscriber
      }
      guard let subscriber else { return }
      do throws(ObjectBoxError) {
        guard let objects = try source.read() else { return finish(.finished) }
        let more = subscriber.receive(objects)
        if more > .none { request(more) }
      } catch {
        finish(.failure(error))
      }
    }

    private func finish(_ completion: Subscribers.Completion<ObjectBoxError>) {
      let subscriber = state.withLock(\.subscriber)
      cancel()
      subscriber?.receive(completion: completion)
    }
  }
#endif
