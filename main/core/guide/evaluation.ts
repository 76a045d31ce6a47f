export const evaluationText = `The image is one running SBCL. What you define, load or set is there in your next call. Bindings of \`let\`, handlers and
restarts end with the call.

## Code

- One form or several. Each is read, then evaluated, before the next one is read, so that a later form can be in a package that an
  earlier one selected. The result is that of the last form.
- \`package\` applies only to this call; the name is looked up as it is given, then in upper case. A package that the code selects with
  \`in-package\` holds for your later calls, unless the call failed. The first package is \`CL-USER\`.
- Values print as PRIN1 prints them, with at most 100 elements of a list and 10 levels. Several values are printed one a line.
- Nobody answers \`read-line\` or \`y-or-n-p\`: a read sees the end of the file and signals an error.

## Errors

An error that nothing handles ends the evaluation. The answer has the type of the condition, its message and the frames of your code, after
what was printed until then. What the forms before it defined stays.

## Long evaluations

An evaluation runs until it ends: it is not ended for its length. Over Lisply the answer begins with white space while it runs; JSON
may. Over MCP a call that lasts longer than your client waits is answered with a handle, and continues; \`await-approval\` gives its
result.

## Definitions

- Redefine with care in an image that you share with a person: they see what you define, and who defined what.
- To keep something, it must be in a file: what is only in the image ends with it. Load systems with ASDF,
  \`(asdf:load-system "name")\`; over MCP use \`load-system\`, which a reset loads again.`;
