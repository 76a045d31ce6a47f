/** The source location of a test: its current position in an open text, otherwise the position in a file that the image reports. */
import type { TestRecord } from '#contract/image/testing.ts';
import { notify } from '../../base/notices/notices.tsx';
import { shownName } from './outcomes.ts';
import { buffers, modelOf } from '../../editor/text/buffers.ts';
import { revealSource } from '../../editor/monaco/reveal-source.ts';
import { formsOf, packageOf } from './run-tests.ts';

/** Shows the form of a test, with the caret in it. */
export async function revealTest(test: TestRecord): Promise<void> {
  const open = buffers.getState().buffers.flatMap((buffer) => {
    const model = modelOf(buffer.id);
    const form = model && formsOf(model).find((each) => each.name === test.name && packageOf(each) === test.package);
    return form ? [{ file: buffer.path ?? buffer.title, line: model.getPositionAt(form.start).lineNumber }] : [];
  });
  const place = open.find(({ file }) => file === test.source?.file) ?? open[0];
  if (place) await revealSource({ ...place, offset: null });
  else if (test.source) await revealSource(test.source);
  else
    notify(
      `The source location of ${shownName(test)} is unknown, because it was not loaded as a part of a system and is not in an open file.`,
    );
}
