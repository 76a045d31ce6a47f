/** Shared components of conversation items: a title that unfolds its content, and the note about a truncated text. */
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { counted } from '#contract/text/text.ts';
import { Row, Stack, Text } from '../../../ui/layout.tsx';
import { classes, look } from '../../../ui/look.ts';
import buttonStyles from '../../../ui/button.module.css';

export interface Unfolding {
  /** The keys of all content that is not in its initial fold state. */
  readonly opened: ReadonlySet<string>;
  readonly onToggle: (key: string) => void;
}

/** Shows how much of a text was not saved. */
export function Cut({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <Text font="small" tone={3}>
      {' '}
      {counted(count, 'character')} more {count === 1 ? 'was' : 'were'} not saved.
    </Text>
  );
}

interface FoldedProps {
  readonly title: ReactNode;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** Content drawn after the title. */
  readonly beside?: ReactNode;
  /** The content that unfolds; omitted if it is drawn elsewhere. */
  readonly children?: ReactNode;
}

/** A title that unfolds its content. */
export function Folded({ title, isOpen, onToggle, beside, children }: FoldedProps) {
  return (
    <Stack>
      <Row gap="mark" shrink>
        <Button
          className={look(
            { flow: 'row', inline: true, gap: 1, font: 'small', tone: 3, round: 'inline', shrink: true },
            buttonStyles.disclosure,
          )}
          aria-expanded={isOpen}
          onPress={onToggle}
        >
          <ChevronRight className={classes('icon-tiny', isOpen ? 'turned' : undefined)} aria-hidden />
          {title}
        </Button>
        {beside}
      </Row>
      {isOpen ? children : null}
    </Stack>
  );
}
