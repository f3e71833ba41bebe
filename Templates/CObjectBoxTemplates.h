// The templates that the generator renders, embedded so that the tool is a single file.
//
// In C: Swift takes a second to compile an array of bytes, and the generator waits for it.
// Only in a header: SwiftPM recompiles the C files of a plugin's tool, and all modules above them, in each build.
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
#embed "EntityInfo.mustache"
  };
  objectbox_template result = {text, sizeof text};
  return result;
}

static inline objectbox_template objectbox_template_mermaid_diagram(void) {
  static const unsigned char text[] = {
#embed "MermaidDiagram.mustache"
  };
  objectbox_template result = {text, sizeof text};
  return result;
}

static inline objectbox_template objectbox_template_dot_diagram(void) {
  static const unsigned char text[] = {
#embed "DotDiagram.mustache"
  };
  objectbox_template result = {text, sizeof text};
  return result;
}

static inline objectbox_template objectbox_template_flatbuffers_schema(void) {
  static const unsigned char text[] = {
#embed "FlatBuffersSchema.mustache"
  };
  objectbox_template result = {text, sizeof text};
  return result;
}

static inline objectbox_template objectbox_template_json_schema(void) {
  static const unsigned char text[] = {
#embed "JSONSchema.mustache"
  };
  objectbox_template result = {text, sizeof text};
  return result;
}

#endif
