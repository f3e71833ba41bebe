// The templates that the generator renders, embedded in its code: the tool is a single file.
//
// In C, since an array of bytes in Swift takes a second to compile, and every build of the
// generator waits for it.
#ifndef COBJECTBOXTEMPLATES_H
#define COBJECTBOXTEMPLATES_H

const char *objectbox_template_entity_info(void);
const char *objectbox_template_mermaid_diagram(void);
const char *objectbox_template_dot_diagram(void);
const char *objectbox_template_flatbuffers_schema(void);
const char *objectbox_template_json_schema(void);

#endif
