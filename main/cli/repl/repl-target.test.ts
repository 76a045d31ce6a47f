import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { CACHE_THERE, FAR_GUARD_MS } from '#core/targets/targets.fixture.ts';
import { makeReplHome } from './repl.fixture.ts';

it(
  'A pipe whose target takes no connection at first is served at the next try, and ends with exit code 0 [L24, decision 37]',
  { timeout: FAR_GUARD_MS },
  async () => {
    const home = makeReplHome();
    try {
      const script = path.join(home.folder, 'far.sh');
      const tried = path.join(home.folder, 'tried');
      const refuses = `[ -e ${tried} ] || { touch ${tried}; echo 'Connection refused' >&2; exit 255; }`;
      writeFileSync(script, `#!/bin/sh\n${refuses}\nexec env XDG_CACHE_HOME=${CACHE_THERE} "$@"\n`, { mode: 0o700 });
      const repl = home.pipe(['--target', `command:${script}`]);
      repl.child.stdin!.end('(+ 1 2)\n');
      const code = await repl.ended;
      expect(repl.err()).toMatch(/refused the connection.*The start is tried again\.\n/);
      expect({ out: repl.out(), code }).toEqual({ out: '* 3\n* ', code: 0 });
    } finally {
      home.close();
    }
  },
);
