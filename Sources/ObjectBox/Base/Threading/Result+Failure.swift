extension Result {
  /// Why there is no value; nil when there is one.
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
