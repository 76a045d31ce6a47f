/** The bar above one part of a long output: the number of the part, navigation to the other parts, and a search in all parts. */
import { ArrowDown, ArrowUp, ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { counted } from '#contract/text/text.ts';
import { call } from '../../base/bridge.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { Bar } from '../../ui/panels/bar.tsx';
import { Button } from '../../ui/button.tsx';
import { FilterField } from '../../ui/fields/filter-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Text } from '../../ui/layout.tsx';
import type { PrintedNotice } from '../text/buffers.ts';
import { goToPart, searchFrom } from '../text/whole-text.ts';
import styles from './editor.module.css';

export function PrintedBar({ id, notice }: { id: string; notice: PrintedNotice }) {
  const { evaluation, part, parts, lines, characters } = notice;
  const [text, setText] = useState('');
  const [found, setFound] = useState('');
  const go = (to: number): void => void orNotice(goToPart(id, evaluation, to));
  const search = async (backwards: boolean): Promise<void> => {
    if (text === '') return;
    setFound('Searching…');
    const from = { part, offset: searchFrom(id, backwards) };
    const match = await call('output.search', { evaluation, text, matchCase: false, backwards, from });
    setFound(
      match ? `Line ${(match.line + 1).toLocaleString('en')}` : backwards ? 'No previous match' : 'No next match',
    );
    if (match) await goToPart(id, evaluation, match.part, { offset: match.offset, length: text.length });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    void orNotice(search(event.shiftKey));
  };
  return (
    <Bar kind="tools" aria-label="Whole output">
      <Text tone={2}>
        {counted(characters, 'character')}, {counted(lines, 'line')}
      </Text>
      {parts > 1 ? (
        <>
          <IconButton label="First part" isDisabled={part === 0} onPress={() => go(0)}>
            <ChevronFirst className="icon" aria-hidden />
          </IconButton>
          <IconButton label="Previous part" isDisabled={part === 0} onPress={() => go(part - 1)}>
            <ChevronLeft className="icon" aria-hidden />
          </IconButton>
          <Text>
            Part {part + 1} of {parts}
          </Text>
          <IconButton label="Next part" isDisabled={part === parts - 1} onPress={() => go(part + 1)}>
            <ChevronRight className="icon" aria-hidden />
          </IconButton>
          <IconButton label="Last part" isDisabled={part === parts - 1} onPress={() => go(parts - 1)}>
            <ChevronLast className="icon" aria-hidden />
          </IconButton>
        </>
      ) : null}
      <FilterField
        label="Find in the whole output"
        placeholder="Find"
        value={text}
        onChange={(wanted) => {
          setText(wanted);
          setFound('');
        }}
        count={found}
        onKeyDown={onKeyDown}
        className={styles.findPrinted}
      />
      <IconButton label="Previous match" onPress={() => void orNotice(search(true))}>
        <ArrowUp className="icon" aria-hidden />
      </IconButton>
      <IconButton label="Next match" onPress={() => void orNotice(search(false))}>
        <ArrowDown className="icon" aria-hidden />
      </IconButton>
      <Button size="small" onPress={() => void orNotice(call('output.save', { evaluation }))}>
        Save all…
      </Button>
    </Bar>
  );
}
