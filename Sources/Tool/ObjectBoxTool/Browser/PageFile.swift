/// A file of the page, embedded in the program.
struct PageFile {
  var type: String
  var bytes: [UInt8]

  private static let script = "text/javascript; charset=utf-8"
  private static let style = "text/css; charset=utf-8"

  private static let page = "text/html; charset=utf-8"

  /// The files of the browser's page, by name.
  static var all: [String: PageFile] { files }

  /// The files of the page of a sync server, by name.
  static let ofServer = shared.merging([
    "server.html": PageFile(type: page, bytes: PackageResources.server_html),
    "server.js": PageFile(type: script, bytes: PackageResources.server_js),
  ]) { $1 }

  /// The files that both pages use.
  private static let shared: [String: PageFile] = [
    "icon.svg": PageFile(type: "image/svg+xml", bytes: PackageResources.icon_svg),
    "layout.css": PageFile(type: style, bytes: PackageResources.layout_css),
    "content.css": PageFile(type: style, bytes: PackageResources.content_css),
    "api.js": PageFile(type: script, bytes: PackageResources.api_js),
    "dom.js": PageFile(type: script, bytes: PackageResources.dom_js),
    "report.js": PageFile(type: script, bytes: PackageResources.report_js),
  ]

  private static let files = shared.merging([
    "index.html": PageFile(type: page, bytes: PackageResources.index_html),
    "main.js": PageFile(type: script, bytes: PackageResources.main_js),
    "sync.js": PageFile(type: script, bytes: PackageResources.sync_js),
    "keyboard.js": PageFile(type: script, bytes: PackageResources.keyboard_js),
    "live.js": PageFile(type: script, bytes: PackageResources.live_js),
    "values.js": PageFile(type: script, bytes: PackageResources.values_js),
    "overview.js": PageFile(type: script, bytes: PackageResources.overview_js),
    "table.js": PageFile(type: script, bytes: PackageResources.table_js),
    "object.js": PageFile(type: script, bytes: PackageResources.object_js),
    "related.js": PageFile(type: script, bytes: PackageResources.related_js),
    "editor.js": PageFile(type: script, bytes: PackageResources.editor_js),
    "removal.js": PageFile(type: script, bytes: PackageResources.removal_js),
    "columns.js": PageFile(type: script, bytes: PackageResources.columns_js),
    "combobox.js": PageFile(type: script, bytes: PackageResources.combobox_js),
    "completion.js": PageFile(type: script, bytes: PackageResources.completion_js),
    "groups.js": PageFile(type: script, bytes: PackageResources.groups_js),
    "diagram.js": PageFile(type: script, bytes: PackageResources.diagram_js),
    "statistics.js": PageFile(type: script, bytes: PackageResources.statistics_js),
  ]) { $1 }
}
