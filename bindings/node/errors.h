/* errors.h - hc_error in Node's words, for the addon and the WebAssembly module: names of arguments, codes, classes. */
#ifndef HASHCORE_NODE_ERRORS_H
#define HASHCORE_NODE_ERRORS_H
#include "hashcore.h"
#include <string.h>

enum hc_node_class { HC_NODE_ERROR, HC_NODE_TYPE_ERROR, HC_NODE_RANGE_ERROR };

/* The code; *kind is the class of the error. */
static const char *hc_node_code(int code, enum hc_node_class *kind)
{
    *kind = HC_NODE_ERROR;
    switch (code) {
    case HC_E_LENGTH:
    case HC_E_RANGE: *kind = HC_NODE_RANGE_ERROR; return "ERR_OUT_OF_RANGE";
    case HC_E_STATE: return "ERR_INVALID_STATE";
    case HC_E_VERIFY: return "ERR_VERIFICATION_FAILED";
    case HC_E_IO: return "ERR_SYSTEM_ERROR";
    case HC_E_MEMORY: return "ERR_MEMORY_ALLOCATION_FAILED";
    case HC_E_CANCELED: return "ABORT_ERR";
    default: *kind = HC_NODE_TYPE_ERROR; return "ERR_INVALID_ARG_VALUE";
    }
}

/* hc_error_text with the argument as JavaScript calls it. */
static size_t hc_node_text(const hc_error *error, char *out, size_t cap)
{
    static const struct {
        const char *core, *node;
    } names[] = { { "digest_size", "outputLength" }, { "derive_key_context", "deriveKeyContext" },
                  { "context", "deriveKeyContext" }, { "leaf_size", "leafSize" }, { "node_offset", "nodeOffset" },
                  { "node_depth", "nodeDepth" }, { "inner_size", "innerSize" }, { "last_node", "lastNode" },
                  { "item_size", "itemSize" }, { "first_chunk", "firstChunk" } };
    hc_error e = *error;
    size_t i;
    for (i = 0; e.argument && i < sizeof names / sizeof names[0]; i++) {
        if (!strcmp(e.argument, names[i].core)) {
            e.argument = names[i].node;
            break;
        }
    }
    return hc_error_text(&e, out, cap);
}
#endif
