internal import Foundation
internal import ObjectBox

/// The keys of tokens, which a function may load again.
final class TokenKeys: Sendable {
  /// The time after which keys are loaded again.
  private static let age = Duration.seconds(300)
  /// The time after which keys that could not be loaded again become invalid.
  private static let longestAge = Duration.seconds(3_600)
  /// The shortest time between two loads, since anyone may send tokens with unknown keys.
  private static let pause = Duration.seconds(10)

  private struct Loaded {
    let verification: TokenVerification
    let time: ContinuousClock.Instant
  }

  private struct State {
    var loaded: Loaded?
    /// The time of the last attempt to load.
    var attempt: ContinuousClock.Instant?
    /// The load that is under way.
    var loading: Task<Void, any Error>?
    /// The error of the last load; nil after a success.
    var failure: (any Error)?
  }

  private let tokens: SyncTokens
  private let state = Guarded(State())
  private let now: @Sendable () -> ContinuousClock.Instant

  /// Creates the verification of tokens.
  ///
  /// - Parameters:
  ///   - tokens: The description of the tokens.
  ///   - now: Returns the time.
  /// - Throws: ``SyncServerError/unusableSecret(message:)`` for keys that cannot verify tokens.
  init(
    _ tokens: SyncTokens,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) throws {
    self.tokens = tokens
    self.now = now
    guard tokens.loadKeys == nil else { return }
    let loaded = Loaded(verification: try TokenVerification(tokens), time: now())
    state.withLock { $0.loaded = loaded }
  }

  /// Returns the user of a token and the time until which it is valid; see ``TokenVerification``.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - date: The present time.
  ///   - report: Gets the error when keys cannot be loaded again.
  /// - Returns: The user and the end; nil for an invalid token.
  /// - Throws: The reason for which there are no keys.
  func user(
    of token: String,
    at date: Date,
    report: @Sendable (any Error) -> Void
  ) async throws -> (user: SyncUser, end: Date)? {
    if tokens.loadKeys != nil {
      let loaded = state.withLock { $0.loaded }
      let age = loaded.map { now() - $0.time } ?? Self.longestAge
      if age >= Self.age || loaded?.verification.mayKnowKey(of: token) == false {
        do {
          try await load()
        } catch {
          if age >= Self.longestAge { throw error }
          report(error)
        }
        // Another login may have failed to load them just before.
        let failure = state.withLock { $0.failure }
        if age >= Self.longestAge, let failure { throw failure }
      }
    }
    return state.withLock { $0.loaded }?.verification.user(of: token, at: date)
  }

  /// Loads the keys, unless that was just done; simultaneous logins wait for one load.
  private func load() async throws {
    let loading = state.withLock { state -> Task<Void, any Error>? in
      if let loading = state.loading { return loading }
      if let attempt = state.attempt, now() - attempt < Self.pause { return nil }
      state.attempt = now()
      let loading = Task { try await self.loadNow() }
      state.loading = loading
      return loading
    }
    try await loading?.value
  }

  private func loadNow() async throws {
    defer { state.withLock { $0.loading = nil } }
    guard let loadKeys = tokens.loadKeys else { return }
    do {
      var tokens = tokens
      tokens.keys = try await loadKeys()
      let loaded = Loaded(verification: try TokenVerification(tokens), time: now())
      state.withLock { ($0.loaded, $0.failure) = (loaded, nil) }
    } catch {
      state.withLock { $0.failure = error }
      throw error
    }
  }
}
