/// The selection of a query, with its present parameters.
///
/// The query has it alone until its first subscription. Subscriptions search on other threads, so from then on
/// a lock guards it.
struct QuerySelection {
  /// The selection, unless it is shared.
  private var own: Selection
  private var shared: Guarded<Selection>?
  /// The filter of an earlier run; nil when a parameter has changed since.
  var filter: RecordFilter?

  init(_ selection: Selection) {
    own = selection
  }

  /// A copy of the selection.
  var copy: Selection { shared?.copy ?? own }

  /// Changes the selection, for subscriptions as well.
  @inline(__always)
  mutating func change<T>(_ body: (inout Selection) -> T) -> T {
    filter = nil
    if let shared { return shared.withLock(body) }
    return body(&own)
  }

  /// Shares the selection with a subscription.
  mutating func share() -> Guarded<Selection> {
    if let shared { return shared }
    let guarded = Guarded(own)
    shared = guarded
    return guarded
  }
}
