/// Ends a loop when nobody needs it any more.
final class LoopKeeper: Sendable {
  let loop: ServiceLoop

  init(_ loop: ServiceLoop) { self.loop = loop }

  deinit { loop.post(.stop) }
}
