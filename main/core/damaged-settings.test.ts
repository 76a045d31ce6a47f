/** Damaged settings never weaken the configured protection. */
import { afterEach, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestWorkbench } from './workbench.fixture.ts';

let test: TestWorkbench;

afterEach(() => test.close());

const open = async (settings: string): Promise<TestWorkbench['workbench']> =>
  (test = await openTestWorkbench({ shared: true, stored: { 'settings.json': settings } })).workbench;

describe('sandbox that damaged settings may want', () => {
  it.each([
    ['a value elsewhere that is out of bounds', '{"version":1,"sandbox":true,"approvalMinutes":500}'],
    ['settings of a later version', '{"version":2,"sandbox":true,"more":[1]}'],
  ])('The sandbox of damaged settings is kept with %s', async (_what, settings) => {
    const workbench = await open(settings);
    expect(workbench.settings.value).toMatchObject({ sandbox: true, approvalMinutes: 5 });
    expect(workbench.problems.join(' ')).toMatch(/settings\.json is damaged in .*the rest of the file is used/);
    expect(workbench.alerts.list()).toEqual([]);
  });

  it.each([
    ['a torn file', '{"version":1,"sandbox":tr'],
    ['an empty file', ''],
    ['a value of it that is none', '{"version":1,"sandbox":"yes"}'],
  ])(
    'The sandbox of damaged settings is not guessed with %s: no image starts until the person decides, and then that is kept',
    async (_what, settings) => {
      const workbench = await open(settings);
      await expect(workbench.session.start()).rejects.toThrow(/do not say whether to use the sandbox.*no image starts/);
      expect(workbench.session.view().pid).toBeNull();
      const [alert] = workbench.alerts.list();
      expect(alert).toMatchObject({
        id: 'sandbox',
        text: expect.stringMatching(/before you decide/) as string,
        actions: [
          { id: 'on', title: 'Start in the sandbox' },
          { id: 'off', title: 'Start without' },
        ],
      });
      await workbench.alerts.act('sandbox', 'off');
      expect([workbench.session.view().pid, workbench.session.view().sandbox, workbench.alerts.list()]).toEqual([
        expect.any(Number),
        null,
        [],
      ]);
      expect(workbench.settings.value.sandbox).toBe(false);
    },
  );
});

describe('problems of stored files', () => {
  it('The problems of stored files include a damaged list of trusted folders, which then trusts nothing', async () => {
    test = await openTestWorkbench({ shared: true, stored: { 'trust.json': '{"version":1,"folders":["' } });
    expect([test.workbench.trusted, test.workbench.problems]).toEqual([
      false,
      [expect.stringMatching(/trust\.json is damaged/)],
    ]);
  });
});
