/// The templates that the generator renders, embedded in the code so that the tool is one file.
package enum Template {
  /// The Swift bindings of all entities of a target.
  package static var entityInfo: String {
    String(decoding: PackageResources.EntityInfo_mustache, as: UTF8.self)
  }
}
