/// Lets tasks wait until it is opened.
///
/// An actor: the thread sanitizer does not know the lock of `Mutex`.
actor Gate {
  private var isOpen = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func open() {
    isOpen = true
    waiters.forEach { $0.resume() }
    waiters = []
  }

  func wait() async {
    guard !isOpen else { return }
    await withCheckedContinuation { waiters.append($0) }
  }
}
