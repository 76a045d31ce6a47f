/** A client that edits files of a project whose source is one file, `src/shop.lisp`. For tests of the file tools. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

/** The initial text of `src/shop.lisp` in each test. */
export const SHOP = `(in-package :cl-user)

(defun total (cart)
  (reduce #'+ cart))

(defmethod discount ((c integer) x)
  x)

(defmethod discount ((c string) x)
  (* 2 x))
`;

export const yes = { decision: 'approved' } as const;

interface ProjectFiles {
  readonly bench: TestWorkbench;
  readonly client: TestClient;
}

/** Creates a project; call this at the top of a test file. At the beginning of each test, both files of the project exist unchanged. */
export function projectFiles(): ProjectFiles {
  const parts: { bench?: TestWorkbench; client?: TestClient } = {};
  beforeAll(async () => {
    parts.bench = await openTestWorkbench();
    parts.client = await parts.bench.connect('editor');
    parts.bench.workbench.approvals.setApprover('the test');
  }, 120_000);
  afterAll(() => parts.bench?.close());
  beforeEach(async () => {
    await mkdir(path.join(parts.bench!.project, 'src'), { recursive: true });
    await writeFile(path.join(parts.bench!.project, 'src/shop.lisp'), SHOP);
  });
  afterEach(() => {
    const { approvals, clients } = parts.bench!.workbench;
    const { id } = clients.list().find(({ name }) => name === 'editor')!;
    approvals.denyAllOf(id, 'The test is over.');
  });
  return {
    get bench() {
      return parts.bench!;
    },
    get client() {
      return parts.client!;
    },
  };
}
