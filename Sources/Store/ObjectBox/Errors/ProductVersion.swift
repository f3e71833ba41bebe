/// The version of this package, which the runtime and both tools report.
///
/// Scripts/release.sh sets it here. The generator does not link the runtime, so its folder has a
/// symbolic link to this file.
enum ProductVersion {
  static let text = "0.1.0"
}
