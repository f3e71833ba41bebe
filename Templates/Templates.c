#include "CObjectBoxTemplates.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char entityInfo[] = {
#embed "EntityInfo.mustache"
    , 0};
const char *objectbox_template_entity_info(void) { return (const char *)entityInfo; }

static const unsigned char mermaidDiagram[] = {
#embed "MermaidDiagram.mustache"
    , 0};
const char *objectbox_template_mermaid_diagram(void) { return (const char *)mermaidDiagram; }

static const unsigned char dotDiagram[] = {
#embed "DotDiagram.mustache"
    , 0};
const char *objectbox_template_dot_diagram(void) { return (const char *)dotDiagram; }

static const unsigned char flatBuffersSchema[] = {
#embed "FlatBuffersSchema.mustache"
    , 0};
const char *objectbox_template_flatbuffers_schema(void) { return (const char *)flatBuffersSchema; }

static const unsigned char jsonSchema[] = {
#embed "JSONSchema.mustache"
    , 0};
const char *objectbox_template_json_schema(void) { return (const char *)jsonSchema; }
