#if OBJECTBOX_HTTP
  internal import Foundation
  internal import ObjectBox
  internal import ObjectBoxCluster

  /// The browser of one store or database: a server, and a thread that follows commits.
  final class Browser: Sendable {
    /// The delay before the thread retries a failed read, in milliseconds.
    private static let pause: Int32 = 500

    private let server: HTTPServer
    private let shared: Shared
    /// The address to open, including the token.
    let address: String

    /// The state shared by the server, the thread and the browser.
    private final class Shared: Sendable {
      /// Nil until the port is known, which guards requests.
      let site = Guarded<BrowserSite?>(nil)
      let hub = EventHub()
      /// Signalled when the thread has ended and no longer uses the content.
      let end = DispatchSemaphore(value: 0)

      func answer(_ request: HTTPRequest) -> HTTPResponse {
        guard let site = site.withLock({ $0 }) else { return .text(503, "the server starts") }
        return site.answer(request)
      }
    }

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - content: The objects, which must stay open until ``stop()`` returns.
    ///   - isWritable: True when objects may be changed.
    ///   - port: The port; 0 for any free port; nil for the usual one of the content, or any free
    ///     port while another program has it.
    /// - Throws: ``SystemFault`` when the port cannot be used; the content's error when it cannot
    ///   be read.
    init(_ content: any BrowserContent, isWritable: Bool, port: UInt16?) throws {
      let follower = try content.follower()
      let shared = Shared()
      self.shared = shared
      let server = HTTPServer { shared.answer($0) }
      self.server = server
      let usual = Self.usualPort(of: content.label)
      let port =
        try port.map { try server.start(port: $0) }
        ?? ((try? server.start(port: usual)) ?? server.start(port: 0))
      let token = RequestGuard.randomToken()
      address = "http://127.0.0.1:\(port)/\(token)/"
      let site = BrowserSite(
        content,
        isWritable: isWritable,
        guardian: RequestGuard(token: token, port: port),
        hub: shared.hub
      )
      shared.site.withLock { $0 = site }
      Thread.detachNewThread { Self.follow(follower, shared) }
    }

    /// The port of a store or database in most runs.
    ///
    /// Browsers keep settings by address and port, so the page finds its columns again after a
    /// restart. The range is outside the ports that systems give to outgoing connections.
    static func usualPort(of label: ContentLabel) -> UInt16 {
      let place = label.isDatabase ? label.address : URL(filePath: label.address).absoluteString
      return 20_000 + UInt16(place.utf8.stableDigest % 10_000)
    }

    /// Ends the feeds, the thread and the server, after a signal.
    func stop() {
      shared.hub.end()
      shared.end.wait()
      server.stop()
    }

    /// Sends each commit's version to the pages until a signal asks the tool to end.
    private static func follow(_ follower: any ContentFollower, _ shared: Shared) {
      var follower = follower
      do {
        while true {
          do {
            shared.hub.send(.version(try follower.next()))
          } catch let signal as Interruption.Requested {
            throw signal
          } catch {
            // The pages then ask again, and show the fault.
            shared.hub.send(.fault)
            try Interruption.wait(milliseconds: pause)
          }
        }
      } catch {
        shared.end.signal()
      }
    }
  }
#endif
