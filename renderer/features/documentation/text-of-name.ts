/** Texts that SBCL writes about a name: the machine code of a function, and the output of DESCRIBE. They open beside the source. */
import type { nameCalls } from '#contract/image/names.ts';
import type { z } from 'zod';
import { askImage, LONG_PATIENCE_MS } from '../../base/image/names.ts';
import type { NamedSymbol } from '../../base/image/documented.ts';
import { notify } from '../../base/notices/notices.tsx';
import { bareName } from '../../sexp/symbols.ts';
import { buffers, removeBuffer } from '../../editor/text/buffers.ts';
import { showBeside } from '../../editor/groups/splitting.ts';
import { openText } from '../../editor/text/whole-text.ts';

type Kind = z.input<(typeof nameCalls)['names.text']['input']>['kind'];

const WORDS: Record<Kind, { title: string; none: string }> = {
  disassembly: { title: 'Disassembly of', none: 'is not a function in the image' },
  description: { title: 'Description of', none: 'is not a symbol in the image' },
};

/**
 * Shows the text in a group beside the focused group, which keeps the focus. Replaces an open text of the same kind about the same name.
 */
export async function showTextOf(name: NamedSymbol, kind: Kind): Promise<void> {
  const answer = await askImage('names.text', { ...name, kind }, LONG_PATIENCE_MS);
  const shown = bareName(name.symbol).toLowerCase();
  if (answer === null) return void notify('The image did not answer.');
  if (!answer.found) return void notify(`${shown} ${WORDS[kind].none}.`);
  const title = `${WORDS[kind].title} ${shown}`;
  for (const { id, title: other, path } of buffers.getState().buffers)
    if (path === null && other === title) removeBuffer(id);
  const cut = answer.cut === 0 ? '' : `\n; ${answer.cut.toLocaleString('en')} more characters are not shown.\n`;
  showBeside(() => openText(title, `${answer.text}${cut}`));
}
