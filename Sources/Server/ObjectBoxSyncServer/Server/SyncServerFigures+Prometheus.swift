internal import Foundation

extension SyncServerFigures {
  /// The figures in the text form 0.0.4 of Prometheus, whose media type is
  /// `text/plain; version=0.0.4`.
  ///
  /// Single devices and users are left out: each label would create its own series.
  public var prometheusText: String {
    var text = MetricText()
    text.gauge("start_time_seconds", "The time of the server's start.", since.timeIntervalSince1970)
    text.gauge(
      "devices",
      "Connected devices, by how far they are.",
      Device.State.allCases.map { (["state": $0.rawValue], deviceCount(in: $0)) }
    )
    text.gauge(
      "behind_seconds",
      "The longest time for which a change has waited to be sent to a device.",
      devices.compactMap { $0.behind?.inSeconds }.max() ?? 0
    )
    text.counter("logins_total", "Logins of devices.", [([:], logins)])
    text.counter("deltas_total", "States that were sent to devices.", [([:], deltas)])
    text.counter(
      "transactions_total",
      "Decisions about uploaded transactions that were sent to devices.",
      [
        (["outcome": "accepted"], decisions.accepted), (["outcome": "merged"], decisions.merged),
        (["outcome": "rejected"], decisions.rejected),
      ]
    )
    text.counter(
      "rejections_total",
      "Rejected transactions, by reason.",
      Self.reasons(rejections)
    )
    text.counter(
      "refusals_total",
      "Connections that the server refused or ended, by reason.",
      Self.reasons(refusals)
    )
    text.counter(
      "bytes_total",
      "Bytes of messages after logins.",
      [(["direction": "in"], receivedBytes), (["direction": "out"], sentBytes)]
    )
    text.gauge(
      "rule_devices",
      "Connected devices whose users a rule permits some objects.",
      rules.enumerated().map { index, rule in
        (
          ["rule": "\(index + 1)", "entity": rule.entity, "access": rule.access.rawValue],
          rule.devices
        )
      }
    )
    let changes = Dictionary(rules.map { ($0.entity, $0.changes) }) { first, _ in first }
    text.counter(
      "changes_total",
      "Changes of objects that the server has read from the log.",
      changes.sorted { $0.key < $1.key }.map { (["entity": $0.key], $0.value) }
    )
    text.counter("errors_total", "Errors that the server reported.", [([:], errorCount)])
    return text.text
  }

  private static func reasons(_ counts: [String: Int]) -> [(labels: [String: String], value: Int)] {
    counts.sorted { $0.key < $1.key }.map { (["reason": $0.key], $0.value) }
  }
}

/// Lines of metrics.
private struct MetricText {
  private(set) var text = ""

  mutating func gauge(_ name: String, _ help: String, _ value: Double) {
    begin(name, help, "gauge")
    text += "objectbox_sync_\(name) \(value)\n"
  }

  mutating func gauge(
    _ name: String,
    _ help: String,
    _ values: [(labels: [String: String], value: Int)]
  ) {
    add(name, help, "gauge", values)
  }

  mutating func counter(
    _ name: String,
    _ help: String,
    _ values: [(labels: [String: String], value: Int)]
  ) {
    add(name, help, "counter", values)
  }

  private mutating func add(
    _ name: String,
    _ help: String,
    _ type: String,
    _ values: [(labels: [String: String], value: Int)]
  ) {
    begin(name, help, type)
    for (labels, value) in values {
      text += "objectbox_sync_\(name)\(Self.text(of: labels)) \(value)\n"
    }
  }

  private mutating func begin(_ name: String, _ help: String, _ type: String) {
    text += "# HELP objectbox_sync_\(name) \(help)\n# TYPE objectbox_sync_\(name) \(type)\n"
  }

  private static func text(of labels: [String: String]) -> String {
    if labels.isEmpty { return "" }
    let parts = labels.sorted { $0.key < $1.key }.map { name, value in
      let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        .replacing("\n", with: "\\n")
      return "\(name)=\"\(escaped)\""
    }
    return "{" + parts.joined(separator: ",") + "}"
  }
}
