import ObjectBox
import ObjectBoxProcessTestSupport

// A program without `ObjectBoxSearch`: `EnginelessTool DIRECTORY` tries to open a store whose model has
// a full-text index, and prints the error.

let builder = try ModelBuilder()
let row = try builder.entityBuilder(for: Row.self, id: 1, uid: 1001)
try row.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 1)
try row.addProperty(name: "text", type: .string, id: 2, uid: 2)
try row.addFullTextIndex(id: 1, uid: 100, propertyIds: [2], language: "en")
try row.lastProperty(id: 2, uid: 2)
builder.lastEntity(id: 1, uid: 1001)
builder.lastIndex(id: 1, uid: 100)
do {
  _ = try Store(
    model: builder.finish(),
    configuration: Store.Configuration(directory: CommandLine.arguments[1])
  )
  print("open")
} catch ObjectBoxError.illegalState(let message) {
  print(message)
}
