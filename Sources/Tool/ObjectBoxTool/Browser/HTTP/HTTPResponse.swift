/// An answer to a request.
package struct HTTPResponse: Sendable {
  package enum Content: Sendable {
    case bytes([UInt8])
    /// Server-sent events, until either side ends them.
    case events(EventFeed)
  }

  package var status: Int
  package var type: String
  package var content: Content
  /// Further header fields.
  package var header: [(name: String, value: String)] = []

  /// Makes an answer from bytes of a media type.
  package init(_ status: Int, _ type: String, _ bytes: [UInt8]) {
    self.status = status
    self.type = type
    content = .bytes(bytes)
  }

  /// Makes an answer that lasts as long as the feed.
  init(_ feed: EventFeed) {
    status = 200
    type = "text/event-stream"
    content = .events(feed)
  }

  /// Makes an answer of plain text.
  static func text(_ status: Int, _ text: String) -> Self {
    Self(status, "text/plain; charset=utf-8", Array((text + "\n").utf8))
  }

  /// The bytes; empty for events.
  package var bytes: [UInt8] {
    if case .bytes(let bytes) = content { bytes } else { [] }
  }

  /// The header fields of every answer.
  ///
  /// The page takes scripts and styles only from this server, none of them inline, and never parses
  /// texts as HTML. No other page can frame it, read its answers, or learn its address through a
  /// link.
  package static let protection: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        + "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Cache-Control", "no-store"),
  ]
}
