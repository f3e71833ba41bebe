// The templates that the generator renders, embedded in the code so that the tool is one file.
//
// In C, since an array of bytes in Swift takes a second to compile, and the generator waits for it. In a header alone:
// SwiftPM compiles the C files of a plugin's tool in each build, and all modules above them anew. An array that has
// more than the embedded bytes, such as a zero behind them, makes clang write a module that it cannot read.
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
