internal import Foundation
internal import ObjectBoxJSON
package import ObjectBoxSyncServer

/// The page of a sync server and its metrics, independent of the network.
package struct FigureSite: Sendable {
  private let guardian: RequestGuard
  private let figures: @Sendable () -> SyncServerFigures

  /// - Parameters:
  ///   - guardian: Refuses foreign requests.
  ///   - figures: Returns the figures of the moment.
  package init(
    guardian: RequestGuard,
    figures: @escaping @Sendable () -> SyncServerFigures
  ) {
    self.guardian = guardian
    self.figures = figures
  }

  /// Answers a request.
  package func answer(_ request: HTTPRequest) -> HTTPResponse {
    switch guardian.path(of: request) {
    case .failure(let refusal): return refusal.response
    case .success(let path):
      guard request.method == "GET" else { return BrowserSite.notAllowed("GET") }
      switch path {
      case "metrics":
        return HTTPResponse(
          200,
          "text/plain; version=0.0.4; charset=utf-8",
          Array(figures().prometheusText.utf8)
        )
      case "api/figures":
        var writer = JSONWriter()
        writer.object(figures().members)
        return HTTPResponse(200, "application/json; charset=utf-8", writer.bytes)
      default:
        guard let file = PageFile.ofServer[path.isEmpty ? "server.html" : path] else {
          return .text(404, "there is no such page")
        }
        return HTTPResponse(200, file.type, file.bytes)
      }
    }
  }
}

extension SyncServerFigures {
  fileprivate var members: BrowserAPI.Members {
    [
      ("since", { $0.integer(since.inSeconds) }),
      (
        "totals",
        { writer in
          writer.object([
            ("logins", { $0.integer(logins) }), ("deltas", { $0.integer(deltas) }),
            ("uploads", { $0.object(decisions.members) }),
            ("receivedBytes", { $0.integer(receivedBytes) }),
            ("sentBytes", { $0.integer(sentBytes) }),
            ("rejections", { $0.object(Self.members(of: rejections)) }),
            ("refusals", { $0.object(Self.members(of: refusals)) }),
            ("errors", { $0.integer(errorCount) }),
          ])
        }
      ),
      ("devices", { $0.list(devices) { $0.object($1.members) } }),
      ("rules", { $0.list(rules) { $0.object($1.members) } }),
      (
        "errors",
        { writer in
          writer.list(errors) { writer, error in
            writer.object([
              ("time", { $0.integer(error.time.inSeconds) }), ("text", { $0.string(error.text) }),
            ])
          }
        }
      ),
    ]
  }

  private static func members(of counts: [String: Int]) -> BrowserAPI.Members {
    counts.sorted { $0.key < $1.key }.map { name, count in (name, { $0.integer(count) }) }
  }
}

extension SyncServerFigures.Decisions {
  fileprivate var members: BrowserAPI.Members {
    [
      ("accepted", { $0.integer(accepted) }), ("merged", { $0.integer(merged) }),
      ("rejected", { $0.integer(rejected) }),
    ]
  }
}

extension SyncServerFigures.Device {
  fileprivate var members: BrowserAPI.Members {
    [
      ("identity", { $0.string(identity) }), ("user", { $0.string(user) }),
      ("address", { $0.string(address) }), ("since", { $0.integer(since.inSeconds) }),
      ("state", { $0.string(state.rawValue) }),
      (
        "behind",
        { writer in
          if let behind { writer.raw("\(behind.inSeconds)") } else { writer.raw("null") }
        }
      ),
      ("uploads", { $0.object(decisions.members) }),
      ("receivedBytes", { $0.integer(receivedBytes) }), ("sentBytes", { $0.integer(sentBytes) }),
    ]
  }
}

extension SyncServerFigures.Rule {
  fileprivate var members: BrowserAPI.Members {
    [
      ("entity", { $0.string(entity) }), ("access", { $0.string(access.rawValue) }),
      ("properties", { $0.list(properties) { $0.string($1) } }),
      ("devices", { $0.integer(devices) }), ("changes", { $0.integer(changes) }),
    ]
  }
}

extension Date {
  /// Whole seconds since 1970.
  fileprivate var inSeconds: Int { Int(timeIntervalSince1970) }
}
