/* The kernel: files to columns in one pass, for those that are plain.

   It reads only what is plain. At anything else a function returns None, or marks the
   document and reads the others; the reader in Python looks again, decides, and words the
   error: there is one place for messages. The same happens where memory runs out.

   The limited API of Python 3.11, C11, nothing else: one binary serves all later
   versions. The caller's `readinto` fetches text into one block, which is used again and
   again; between two calls the kernel works without Python's lock.

   Whatever is compared with Python's readers has their rules: a byte is blank up to 32
   and part of a word above; lines end at '\n' and nowhere else; hashes of words are those
   of corefkit.columns.words, entity codes those of corefkit.formats.conll.columns.
*/

#include "_kernel_parts/conll.h"
#include "_kernel_parts/conllu.h"
#include "_kernel_parts/jsonl.h"

/* ---- the module ---- */

static PyMethodDef functions[] = {
    {"read_conll", read_conll, METH_VARARGS, read_conll_doc},
    {"read_conllu", read_conllu, METH_VARARGS, read_conllu_doc},
    {"read_jsonl", read_jsonl, METH_VARARGS, read_jsonl_doc},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {
    {0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "corefkit._kernel",
    .m_doc = "Files to columns in one pass, for those that are plain.",
    .m_size = 0,
    .m_methods = functions,
    .m_slots = slots,
};

PyMODINIT_FUNC
PyInit__kernel(void)
{
    return PyModuleDef_Init(&definition);
}
