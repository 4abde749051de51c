/* The kernel reads files into rows of numbers, in one pass.

   It only reads plain documents. It marks other documents, or returns None for the file,
   and then the reader in Python parses them and reports their errors: every message has
   one place. The same happens if memory runs out.

   It requires C11 and the limited API of Python 3.11, so one binary serves all later
   versions. The caller's `readinto` fetches text into one block, which is reused; between
   two calls the kernel works without Python's global lock.

   The rules are those of the readers in Python: a byte is blank up to 32, and part of a
   word above; lines end at '\n' only; hashes of words are those of
   corefkit.arrays.hashing.
*/

#include "_kernel_parts/conll.h"
#include "_kernel_parts/conllu.h"

static PyMethodDef functions[] = {
    {"read_conll", read_conll, METH_VARARGS, read_conll_doc},
    {"read_conllu", read_conllu, METH_VARARGS, read_conllu_doc},
    {NULL, NULL, 0, NULL},
};

/* The version of the interface, which formats/files.py checks. */
static int
add_version(PyObject *module)
{
    return PyModule_AddIntConstant(module, "VERSION", 4);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, add_version},
    {0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "corefkit._kernel",
    .m_doc = "Files to rows of numbers in one pass.",
    .m_size = 0,
    .m_methods = functions,
    .m_slots = slots,
};

PyMODINIT_FUNC
PyInit__kernel(void)
{
    return PyModuleDef_Init(&definition);
}
