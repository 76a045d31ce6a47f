/** `notice` describes what the guard currently does for clients of this workbench. */
export function safetyText(notice: string): string {
  return `${notice}

## Code

Evaluated code runs at once. What stays in the image (definitions, variables, packages) needs no approval. What reaches outside is noticed
when it happens: writing, deleting and renaming files, making folders, starting programs, connecting and listening, loading
foreign code, changing the environment or the working directory, exiting. The image's own temporary folder can be written
without asking.

- Where a person can be asked, the thread waits inside the call until they decide. Your evaluation takes that long.
- What is denied signals \`LISP-WORKBENCH:EFFECT-DENIED\`, an \`error\`. Its report names the effect, the target and the reason. Do
  not try another way to the same end: tell the person what you need and why. Three refusals in a row pause you.

## Tools

A tool has one of three levels. *Safe* tools look and change nothing. *Cautious* ones run at once and are recorded. *Dangerous* ones, which
change files or what others made, wait for a person; where nobody can be asked they are denied. An answer that begins with
\`Waiting for approval\` has a handle: call \`await-approval\` with it, or the same call again, which asks nobody twice.

## Records

Every call, evaluation and effect is recorded with your name. A paused client gets the reason, and who can resume it.`;
}
