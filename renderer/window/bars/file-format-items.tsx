/** The items of the status bar about the shown file's encoding and line ends. Each is a button that changes its setting. */
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import type { TextEncoding } from '#contract/text/text-file.ts';
import { changeLineEnds, modelOf, type TextBuffer, useBuffers } from '../../editor/text/buffers.ts';
import { ENCODING_NAMES } from '../../editor/files/encoding-names.ts';
import { reload, saveInEncoding } from '../../editor/files/files.ts';
import { isLarge } from '../../editor/text/large-texts.ts';
import { LIMITED } from '../../editor/text/large-words.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { look } from '../../ui/look.ts';
import { MenuButton } from '../../ui/menus/menu.tsx';
import { Explained } from '../../ui/menus/tooltip.tsx';

const WITH_ICON = look({ flow: 'row', inline: true, gap: 'mark', round: 'inline', tone: 'cautious' });

export function FileFormatItems() {
  const buffer = useBuffers((state) => state.buffers.find(({ id }) => id === state.active) ?? null);
  if (!buffer) return null;
  const model = modelOf(buffer.id);
  return (
    <>
      {model && isLarge(model) ? (
        <Explained
          label="limited features"
          text={LIMITED}
          className={WITH_ICON}
          icon={<TriangleAlert className="icon-small" aria-hidden />}
        />
      ) : null}
      <LineEndsItem buffer={buffer} />
      <EncodingItem buffer={buffer} />
    </>
  );
}

function LineEndsItem({ buffer: { id, lineEnds, readOnly } }: { buffer: TextBuffer }) {
  const titles = { LF: 'LF (Unix)', CRLF: 'CRLF (Windows)' };
  return (
    <MenuButton
      label="Line ends"
      placement="top end"
      groups={[
        {
          id: 'ends',
          title: 'End all lines with',
          entries: (['LF', 'CRLF'] as const).map((each) => ({
            id: each,
            title: titles[each],
            disabled: readOnly || each === lineEnds,
            run: () => changeLineEnds(id, each),
          })),
        },
      ]}
    >
      <FormatButton label={`Line ends: ${lineEnds}`}>
        {lineEnds === 'mixed' ? 'mixed line ends' : lineEnds}
      </FormatButton>
    </MenuButton>
  );
}

/** The encoding in which the shown file is saved. A menu reopens or saves the file in another encoding. */
function EncodingItem({ buffer: { id, path, dirty, encoding } }: { buffer: TextBuffer }) {
  const all = Object.entries(ENCODING_NAMES) as [TextEncoding, string][];
  return (
    <MenuButton
      label="Encoding"
      placement="top end"
      groups={[
        {
          id: 'read',
          title: 'Reopen with encoding',
          entries: all.map(([each, title]) => ({
            id: `read ${each}`,
            title,
            disabled: path === null || dirty || each === encoding,
            run: () => void orNotice(reload(id, each)),
          })),
        },
        {
          id: 'save',
          title: 'Save with encoding',
          entries: all.map(([each, title]) => ({
            id: `save ${each}`,
            title,
            disabled: each === encoding,
            run: () => void orNotice(saveInEncoding(id, each)),
          })),
        },
      ]}
    >
      <FormatButton label={`Encoding: ${ENCODING_NAMES[encoding]}`}>{ENCODING_NAMES[encoding]}</FormatButton>
    </MenuButton>
  );
}

function FormatButton({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Button className={look({ flow: 'row', inline: true, round: 'inline' })} aria-label={label}>
      {children}
    </Button>
  );
}
