import PackagePlugin

@main
struct ObjectBoxCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {}
}
