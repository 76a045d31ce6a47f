/** The bar above an expansion: the next steps, and the undo of the last one. */
import { orNotice } from '../../base/notices/notices.tsx';
import { Bar } from '../../ui/panels/bar.tsx';
import { Button } from '../../ui/button.tsx';
import { Text } from '../../ui/layout.tsx';
import { shownPackage } from '../../sexp/packages.ts';
import { activeEditor } from '../../editor/groups/active-editor.ts';
import type { ExpansionNotice } from '../../editor/text/buffers.ts';
import { expandAtCaret, type ExpansionMode, takeBackExpansion } from './expansion.ts';

export function ExpansionBar({ notice }: { notice: ExpansionNotice }) {
  const expand = (mode: ExpansionMode) => (): void => {
    activeEditor()?.focus();
    void orNotice(expandAtCaret(mode));
  };
  return (
    <Bar kind="tools" aria-label="Expansion">
      <Text tone={2}>
        {notice.package === null ? 'Expansion' : `Expansion in ${shownPackage(notice.package)}`}
        {notice.steps === 0 ? '' : `, ${notice.steps + 1} steps`}
      </Text>
      <Button size="small" onPress={expand('once')}>
        Expand form at caret
      </Button>
      <Button size="small" onPress={expand('fully')}>
        Expand all macros in form
      </Button>
      <Button
        size="small"
        isDisabled={notice.steps === 0}
        onPress={() => {
          activeEditor()?.focus();
          takeBackExpansion();
        }}
      >
        Undo
      </Button>
    </Bar>
  );
}
