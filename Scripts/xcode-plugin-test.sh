#!/usr/bin/env bash
# Compiles the plugin's part for Xcode projects, which other builds leave out, against declarations written from the
# documentation of Xcode's module. It proves only that the part compiles, not that it works in Xcode.
set -euo pipefail
cd "$(dirname "$0")/.."
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

cat > "$work/XcodeProjectPlugin.swift" <<'SWIFT'
import Foundation
import PackagePlugin

public protocol XcodeBuildToolPlugin: BuildToolPlugin {
  func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command]
}
public struct XcodePluginContext {
  public let xcodeProject: XcodeProject
  public let pluginWorkDirectoryURL: URL
  public func tool(named name: String) throws -> PluginContext.Tool { fatalError() }
}
public struct XcodeProject {
  public let displayName: String
  public let directoryURL: URL
  public let targets: [XcodeTarget]
}
public struct XcodeTarget {
  public let displayName: String
  public let inputFiles: FileList
}
SWIFT
compiler="$(swift -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')"
options=(-I "$compiler/pm/PluginAPI" -package-description-version 6.2 -parse-as-library -warnings-as-errors)
swiftc -emit-module -module-name XcodeProjectPlugin -emit-module-path "$work/XcodeProjectPlugin.swiftmodule" \
  "${options[@]}" "$work/XcodeProjectPlugin.swift"
swiftc -typecheck -I "$work" "${options[@]}" Plugins/ObjectBoxPlugin/*.swift Plugins/PluginsShared/*.swift
echo "Xcode's part of the plugin: compiles"
