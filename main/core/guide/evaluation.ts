export const evaluationText = `The image is one running SBCL process. Your definitions, loaded systems and assigned variables persist between calls. Bindings of \`let\`,
handlers and restarts end with the call.

## Code

- Send one form or several. Each form is read and evaluated before the next one is read, so a later form can use a package that an
  earlier one selected. The result is the value of the last form.
- \`package\` applies only to this call; the name is looked up as given, then in upper case. A package that the code selects with
  \`in-package\` also applies to your later calls, unless the call failed. The first package is \`CL-USER\`.
- Values print as PRIN1 prints them, with at most 100 elements of a list and 10 levels. Several values are printed one per line.
- \`read-line\` and \`y-or-n-p\` get no input: they reach the end of the file and signal an error.

## Errors

An unhandled error ends the evaluation. The reply contains the output so far, the type of the condition, its message and the frames of your
code. Definitions of earlier forms remain.

## Long evaluations

An evaluation has no time limit. Over Lisply, the reply begins with white space while the evaluation runs, which JSON allows. Over MCP, a
call that takes longer than your client waits is answered with a handle and continues; \`await-approval\` returns its result.

## Definitions

- Redefine with care in an image that you share with a person, who sees each definition and its author.
- Save everything that must last in a file: definitions that are only in the image are lost when it ends. Load systems with ASDF,
  \`(asdf:load-system "name")\`; over MCP use \`load-system\`, because a reset loads those systems again.`;
