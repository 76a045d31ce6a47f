/**
 * `npm run e2e [-- FILE …]` and `npm run screenshots`: each runs one project of playwright.config.ts against the built program, with the
 * right Electron and on separate displays. The screenshots go to resources/screenshots.
 */
import { build } from '../setup/build.mjs';
import { endWithParent } from '../setup/parent.mjs';
import { playwright } from './playwright.mjs';
import { createReport } from '../setup/report.mjs';
import { setUp } from '../setup/steps.mjs';

const report = createReport();
const [project, ...given] = process.argv.slice(2);
endWithParent();
try {
  await setUp('tests', report);
  await build(report);
  const { code } = await playwright([`--project=${project}`, ...given], {
    timeout: 20 * 60_000,
    displays: project === 'e2e' ? 3 : 1,
  });
  process.exitCode = code ?? 1;
} catch (error) {
  report.problem(error);
  process.exitCode = 1;
}
