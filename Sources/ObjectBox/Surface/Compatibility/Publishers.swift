#if canImport(Combine)
  public import Combine
  public import Dispatch

  /// Publishes all objects of a box, now and after each commit that changed them.
  public struct BoxPublisher<E>: Publisher
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    /// All objects.
    public typealias Output = [E]
    /// What reading can fail with.
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
      PublishedResults(source, subscriber, dispatchQueue).begin()
    }
  }

  /// Publishes the results of a query, now and after each commit that changed objects of its entity.
  public struct QueryPublisher<E>: Publisher
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    /// The results.
    public typealias Output = [E]
    /// What searching can fail with.
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
      PublishedResults(source, subscriber, dispatchQueue).begin()
    }
  }

  extension Box {
    /// Publishes all objects, now and after each commit that changed them.
    public var publisher: BoxPublisher<E> { BoxPublisher(source: ResultSource(self)) }
  }

  extension Query {
    /// Publishes the results, now and after each commit that changed objects of the entity.
    ///
    /// The publisher follows the query: each search takes the parameters that the query has when it begins.
    /// Setting one does not by itself publish anything.
    public var publisher: QueryPublisher<E> { QueryPublisher(source: ResultSource(self)) }
  }

  extension Observer: Combine.Subscription {
    /// Does nothing: an observer tells every commit.
    public func request(_ demand: Subscribers.Demand) {}

    /// Unsubscribes.
    public func cancel() { unsubscribe() }
  }

  /// The subscription of one subscriber: passes results on when there are both a change and a demand.
  ///
  /// Invariant of `@unchecked Sendable`: the subscriber is called on the queue only, but for the greeting
  /// by `begin`; all that changes is guarded.
  private final class PublishedResults<E, S: Subscriber>: Combine.Subscription, @unchecked Sendable
  where
    E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType, S.Input == [E],
    S.Failure == ObjectBoxError
  {
    private struct Content {
      var subscriber: S?
      var subscription: NotificationToken?
      var delivery: Delivery?
      var demand = Subscribers.Demand.none
    }

    private let source: ResultSource<E>
    private let queue: DispatchQueue
    private let content: Guarded<Content>
    private let hasNews = Guarded(true)

    init(_ source: ResultSource<E>, _ subscriber: S, _ queue: DispatchQueue) {
      self.source = source
      self.queue = queue
      content = Guarded(Content(subscriber: subscriber))
    }

    func begin() {
      let delivery = Delivery(on: queue) { [self] in deliver() }
      let ending = Delivery(on: queue) { [self] in finish(.finished) }
      content.withLock { $0.delivery = delivery }
      content.withLock({ $0.subscriber })?.receive(subscription: self)
      let hasNews = hasNews
      let subscription = source.subscribe(
        onCommit: {
          hasNews.withLock { $0 = true }
          delivery.schedule()
        },
        onEnd: { ending.schedule() }
      )
      delivery.schedule()
      let wasCancelled = content.withLock { content in
        content.subscription = subscription
        return content.subscriber == nil
      }
      if wasCancelled { subscription?.invalidate() }
    }

    func request(_ demand: Subscribers.Demand) {
      content.withLock { content in
        content.demand += demand
        return content.delivery
      }?.schedule()
    }

    func cancel() {
      let old = content.withLock { content in
        defer { content = Content(subscriber: nil) }
        return content
      }
      old.subscription?.invalidate()
      old.delivery?.end()
    }

    private func deliver() {
      let subscriber: S? = content.withLock { content in
        guard content.demand > .none, hasNews.withLock({ $0 }) else { return nil }
        hasNews.withLock { $0 = false }
        content.demand -= 1
        return content.subscriber
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
      let subscriber = content.withLock { $0.subscriber }
      cancel()
      subscriber?.receive(completion: completion)
    }
  }
#endif
