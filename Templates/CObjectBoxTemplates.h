// The templates that the generator renders, embedded so that the tool is a single file.
//
// In C: Swift takes a second to compile an array of bytes, and the generator waits for it.
// Only in a header: SwiftPM recompiles the C files of a plugin's tool, and all modules above them, in each build.
// Neither SwiftPM nor the compiler notices that an embedded file has changed, so a build that goes on from an earlier one
// would keep the former templates. So the FNV-1a digest of each file stands here, which makes the compiler read this
// header again, and in Template.swift, which makes SwiftPM call the compiler. GoldenCodeTests checks the digests.
// An array must hold only the embedded bytes: with a zero at its end, clang writes a module that it cannot read.
#ifndef COBJECTBOXTEMPLATES_H
#define COBJECTBOXTEMPLATES_H

#include <stddef.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

/// The bytes of a text in UTF-8.
typedef struct {
  const unsigned char *start;
  size_t count;
} objectbox_template;

static inline objectbox_template objectbox_template_entity_info(void) {
  static const unsigned char text[] = {
#embed "EntityInfo.mustache"  // a966c6a98aaec5d4
  };
  objectbox_template result = {text, sizeof text};
  return result;
}

static inline objectbox_template objectbox_template_mermaid_diagram(void) {
  static const unsigned char text[] = {
#embed "MermaidDiagram.mustache"  // b9cb143b75d57595
  };
  objectbox_template result = {text, sizeof text};
  return result;
}

static inline objectbox_template objectbox_template_dot_diagram(void) {
  static const unsigned char text[] = {
#embed "DotDiagram.mustache"  // b45fd6c4fa4fb183
  };
  objectbox_template result = {text, sizeof text};
  return result;
}

static inline objectbox_template objectbox_template_flatbuffers_schema(void) {
  static const unsigned char text[] = {
#embed "FlatBuffersSchema.mustache"  // e129fcf45e03f28f
  };
  objectbox_template result = {text, sizeof text};
  return result;
}

static inline objectbox_template objectbox_template_json_schema(void) {
  static const unsigned char text[] = {
#embed "JSONSchema.mustache"  // 4bf5c3a872072464
  };
  objectbox_template result = {text, sizeof text};
  return result;
}

#endif
