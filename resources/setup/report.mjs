/** The lines that a setup prints: one for each step. During a long step, the line shows the elapsed time. */

import { dirname } from 'node:path';

/** A problem that stops a setup: a sentence that names the missing part, and the commands that fix the problem. */
export class SetupProblem extends Error {
  constructor(message, mend = []) {
    super(message);
    this.mend = mend;
  }
}

/**
 * Returns a report that prints on a stream.
 * @param {NodeJS.WriteStream} stream stdout, or stderr if stdout is used by a protocol
 * @param {{ quiet?: boolean }} options with `quiet`, steps that have nothing to do are not printed
 */
export function createReport(stream = process.stdout, { quiet = false } = {}) {
  const line = (text) => stream.write(`${text}\n`);
  return {
    line,
    ready: (text) => quiet || line(`✓ ${text}`),
    done: (text, started) => line(`✓ ${text} (${seconds(started)})`),

    /** Shows `text` as running until the returned function is called. */
    working(text) {
      const started = Date.now();
      const show = () =>
        stream.isTTY
          ? stream.write(`\r\x1b[K… ${text} (${seconds(started)})`)
          : line(`… ${text} (${seconds(started)})`);
      if (stream.isTTY) show();
      else line(`… ${text}`);
      const timer = setInterval(show, stream.isTTY ? 1000 : 10_000);
      return () => {
        clearInterval(timer);
        if (stream.isTTY) stream.write('\r\x1b[K');
      };
    },

    problem(error) {
      const { message, mend } = error instanceof SetupProblem ? error : fromSystem(error);
      line(`✗ ${message}`);
      for (const command of mend) line(`    ${command}`);
    },
  };
}

/** Describes a full or write-protected disk in a sentence. Any other error is a bug in the program and is shown with its stack. */
function fromSystem(error) {
  const path = error?.path ?? error?.dest;
  if (error?.code === 'ENOSPC') return { message: `The disk is full${path ? ` (${path})` : ''}.`, mend: ['df -h'] };
  if (path && ['EACCES', 'EPERM', 'EROFS'].includes(error.code)) {
    return {
      message: `${path} may not be written (${error.code}). Mend its owner and rights:`,
      mend: [`ls -ld ${dirname(path)}`],
    };
  }
  return { message: String(error?.stack ?? error), mend: [] };
}

const seconds = (started) => `${((Date.now() - started) / 1000).toFixed(1)} s`;
