/// A broken promise that the checker found.
struct Wrong: Error {
  let claim: String
  let details: String

  init(_ claim: String, _ details: String = "") {
    self.claim = claim
    self.details = details
  }
}
