import { afterEach, expect, it } from 'vitest';
import { workbenchCalls } from '#contract/rpc.ts';
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import { openTestWorkbench, type TestWorkbench } from '#core/workbench.fixture.ts';
import { questionHandlers } from './questions.ts';

let test: TestWorkbench | null = null;

afterEach(async () => {
  await test?.close();
  test = null;
});

it('A row of the contract that says which operation it asks needs no handler of its own, and its answer fits the row [issue 36.6]', async () => {
  test = await openTestWorkbench();
  const { workbench } = test;
  const answers = questionHandlers(workbench);
  // A look-up never starts an image.
  expect(await answers['packages.list']({ repl: FIRST_REPL })).toBeNull();
  await workbench.session.start();
  const described = await answers['classes.describe']({ repl: FIRST_REPL, symbol: 'integer', package: 'CL' });
  expect(workbenchCalls['classes.describe'].output.parse(described)).toMatchObject({ class: { name: 'INTEGER' } });
  // The call's row in the table supplies the fields that the page does not specify.
  const report = await answers['memory.report']({ repl: FIRST_REPL });
  expect(workbenchCalls['memory.report'].output.parse(report)).not.toBeNull();
  // A look-up without a REPL goes to the shared image, in the person's context.
  expect(await answers['names.checkSyntax']({ text: '(car', package: null })).toMatchObject({ total: 1 });
});

it('A question whose image ends before the answer is answered with null, as one that no image could be asked [issue 36.6]', async () => {
  test = await openTestWorkbench();
  const { session } = test.workbench;
  await session.start();
  process.kill(session.view().pid!, 'SIGSTOP'); // prevents the image from answering before it is killed
  const asked = questionHandlers(test.workbench)['threads.list']({ repl: FIRST_REPL });
  process.kill(session.view().pid!, 'SIGKILL');
  expect(await asked).toBeNull();
});
