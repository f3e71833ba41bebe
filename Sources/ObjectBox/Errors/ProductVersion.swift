/// The version of this package, which the runtime and both tools tell.
///
/// Scripts/release.sh raises it here. The generator, which links nothing of the runtime, has a link to this file.
enum ProductVersion {
  static let text = "0.1.0"
}
