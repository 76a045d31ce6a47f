/**
 * `npm run indentation [-- FILE …]`: compares the indentation of five libraries, or of the named files, with that of Emacs and SLIME, line
 * by line (`compare.ts`). Installs Emacs and the libraries first. Not part of `npm test`.
 */
import { run } from '../setup/children.mjs';
import { endWithParent } from '../setup/parent.mjs';
import { inRoot, node } from '../setup/places.mjs';
import { createReport } from '../setup/report.mjs';
import { setUp } from '../setup/steps.mjs';

const report = createReport();
endWithParent();
try {
  await setUp('indentation', report);
  const { code } = await run(node(), [inRoot('resources', 'indentation', 'compare.ts'), ...process.argv.slice(2)], {
    echo: true,
  });
  process.exitCode = code ?? 1;
} catch (error) {
  report.problem(error);
  process.exitCode = 1;
}
