/** Tasks on Debian's libraries: one task examines a library, and two fix a bug in a copy of a library. */
import { createHmac } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expectText, type Task } from './task.ts';
import { sbcl } from './sides.ts';

const SOURCES = '/usr/share/common-lisp/source';

const HMAC = `(let ((hmac (ironclad:make-hmac (ironclad:ascii-string-to-byte-array "key") :sha256)))
  (ironclad:update-hmac hmac (ironclad:ascii-string-to-byte-array "data"))
  (ironclad:byte-array-to-hex-string (ironclad:hmac-digest hmac)))`;
const DIGEST = new RegExp(createHmac('sha256', 'key').update('data').digest('hex'));

const learn: Task = {
  name: '1 learn ironclad',
  title:
    'What does derive-key call for PBKDF2, who uses update-sha256-block, and what is the HMAC-SHA256 of "data" with "key"?',
  goal: true,
  needs: ['cl-ironclad'],
  prepare: () => Promise.resolve(),
  tools: async (agent) => {
    await agent.call('load-system', { system: 'ironclad' });
    const source = await agent.call('find-definition', { symbol: 'ironclad:derive-key (pbkdf2)', source: true });
    expectText(source, /pbkdf2-derive-key/i);
    expectText(await agent.call('who-calls', { function: 'ironclad::update-sha256-block' }), /UPDATE-DIGEST|SHA256/i);
    expectText(await agent.call('evaluate-lisp', { code: HMAC }), DIGEST);
  },
  shell: (agent) => {
    const root = `${SOURCES}/ironclad`;
    expectText(
      agent.run(`cd ${root}; ls src src/kdf; grep -rniE "derive-key|pbkdf2" --include=*.lisp src | head -60`),
      /pkcs5|pbkdf2/i,
    );
    agent.run(`cd ${root}; cat src/kdf/pkcs5.lisp src/kdf/kdf-common.lisp 2>/dev/null`);
    agent.run(
      `cd ${root}; grep -rn "update-sha256-block" --include=*.lisp src; grep -n "update-sha256-block" -B12 src/digests/sha256.lisp | tail -60`,
    );
    expectText(agent.run(`${sbcl('(asdf:load-system :ironclad)', `(print ${HMAC})`)} 2>&1 | tail -20`), DIGEST);
  },
};

const PPCRE_TEST = sbcl('(asdf:test-system :cl-ppcre)');

/** Puts a bug into a copy of a library. @throws Error if Debian's version does not contain `right`. */
async function broken(folder: string, library: string, file: string, right: string, wrong: string): Promise<void> {
  await cp(path.join(SOURCES, library), folder, { recursive: true, dereference: true });
  const text = await readFile(path.join(folder, file), 'utf8');
  if (!text.includes(right)) throw new Error(`${library} of this Debian has another ${file}.`);
  await writeFile(path.join(folder, file), text.replace(right, wrong));
}

const offByOne: Task = {
  name: '2a a bug in cl-ppcre',
  title: 'The tests fail since yesterday. Find the bug and fix it.',
  goal: true,
  needs: ['cl-ppcre', 'cl-flexi-streams'],
  prepare: (folder) => broken(folder, 'cl-ppcre', 'api.lisp', '(>= (incf counter) limit)', '(> (incf counter) limit)'),
  tools: async (agent, check) => {
    expectText(await agent.call('run-tests', { system: 'cl-ppcre/test' }, true), /limit/i);
    await agent.call('find-definition', { symbol: 'cl-ppcre:split', source: true });
    await agent.call('edit-files', {
      edits: [
        {
          path: 'api.lisp',
          definition: 'defun split',
          old: '(> (incf counter) limit)',
          new: '(>= (incf counter) limit)',
        },
      ],
      test: 'cl-ppcre/test',
    });
    expectText(check.run(PPCRE_TEST), /All tests passed/);
  },
  shell: (agent, check) => {
    agent.run(`${PPCRE_TEST} 2>&1 | tail -60`);
    agent.run('grep -n "defun split" api.lisp; grep -n "limit" api.lisp');
    agent.run("sed -n '585,665p' api.lisp");
    agent.run(`sed -i 's/(> (incf counter) limit)/(>= (incf counter) limit)/' api.lisp
${PPCRE_TEST} 2>&1 | tail -5`);
    expectText(check.run(PPCRE_TEST), /All tests passed/);
  },
};

const ALEXANDRIA_TEST = sbcl('(asdf:test-system :alexandria-tests)');

const hygiene: Task = {
  name: '2b a macro of alexandria',
  title: 'A test of ensure-gethash fails. Find out why, and fix the macro.',
  goal: true,
  needs: ['cl-alexandria'],
  prepare: (folder) =>
    broken(
      folder,
      'alexandria',
      'alexandria-1/hash-tables.lisp',
      '(once-only (key hash-table)',
      '(once-only (hash-table)',
    ),
  tools: async (agent, check) => {
    expectText(await agent.call('run-tests', { system: 'alexandria-tests' }, true), /ENSURE-GETHASH/);
    await agent.call('find-definition', { symbol: 'alexandria:ensure-gethash', source: true });
    await agent.call('edit-files', {
      edits: [
        {
          path: 'alexandria-1/hash-tables.lisp',
          definition: 'ensure-gethash',
          old: '(once-only (hash-table)',
          new: '(once-only (key hash-table)',
        },
      ],
      test: 'alexandria-tests',
    });
    expectText(check.run(ALEXANDRIA_TEST), /No tests failed/);
  },
  shell: (agent, check) => {
    agent.run(`${ALEXANDRIA_TEST} 2>&1 | tail -40`);
    agent.run('grep -rn "ensure-gethash" --include=*.lisp .; sed -n 1,16p alexandria-1/hash-tables.lisp');
    agent.run(`sed -i 's/(once-only (hash-table)/(once-only (key hash-table)/' alexandria-1/hash-tables.lisp
${ALEXANDRIA_TEST} 2>&1 | tail -8`);
    expectText(check.run(ALEXANDRIA_TEST), /No tests failed/);
  },
};

export const libraryTasks = { learn, offByOne, hygiene };
