#if OBJECTBOX_WEBSOCKETS
  internal import CObjectBoxWebSockets

  // The timer of each connection.
  extension ServiceLoop {
    /// Sets the timer of a connection, which fires after a delay in microseconds or a little later.
    ///
    /// In the last millisecond before a timer, the library polls without a pause. So the timers of connections fire at
    /// common times.
    func setTimer(_ wsi: OpaquePointer, _ delay: Int64) {
      lws_set_timer_usecs(wsi, settings.limits.commonDelay(delay, at: now))
    }

    /// Records that the peer has sent something.
    func noteSignOfLife(_ link: Link, _ wsi: OpaquePointer) {
      link.lastReceived = now
      guard link.hasPinged else { return }
      link.hasPinged = false
      if link.closeDeadline == nil {
        setTimer(wsi, settings.limits.pingInterval.microseconds)
      }
    }

    /// Handles the time limits that have passed, and sets the next timer.
    func timerFired(_ link: Link, _ wsi: OpaquePointer) -> Int32 {
      lws_validity_confirmed(wsi)
      if let deadline = link.closeDeadline {
        if deadline > now {
          setTimer(wsi, deadline - now)
        } else {
          closed(link)
          kill(wsi)
        }
        return 0
      }
      guard link.phase == .open, let channel = link.channel else { return 0 }
      let limits = settings.limits
      if link.isPaused {
        // While reading is paused, neither pongs nor the peer's pings are read. A pong without a ping shows the peer
        // that this side is alive.
        link.lastReceived = now
        link.hasPinged = false
        link.control = LWS_WRITE_PONG
        lws_callback_on_writable(wsi)
      }
      let silence = now - link.lastReceived
      if silence >= limits.silence.microseconds {
        channel.end(.failure(.silent(address: channel.address, limit: limits.silence)))
        kill(wsi)
      } else if silence >= limits.pingInterval.microseconds, !link.hasPinged {
        link.hasPinged = true
        link.control = LWS_WRITE_PING
        lws_callback_on_writable(wsi)
        setTimer(wsi, limits.silence.microseconds - silence)
      } else {
        let limit = link.hasPinged ? limits.silence : limits.pingInterval
        setTimer(wsi, limit.microseconds - silence)
      }
      return 0
    }
  }
#endif
