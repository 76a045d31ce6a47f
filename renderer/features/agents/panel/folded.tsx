/** Parts that items of a conversation share: a title that unfolds what is below it, and the words about a text that was cut. */
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { counted } from '#contract/text/text.ts';
import { Row, Stack, Text } from '../../../ui/layout.tsx';
import { classes, look } from '../../../ui/look.ts';
import buttonStyles from '../../../ui/button.module.css';

export interface Unfolding {
  /** The keys of what is not as it is at first. */
  readonly opened: ReadonlySet<string>;
  readonly onToggle: (key: string) => void;
}

/** Says how much of a text was not saved. */
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
  /** Stands behind the title. */
  readonly beside?: ReactNode;
  /** The content that unfolds; none where it is drawn elsewhere. */
  readonly children?: ReactNode;
}

/** Something under a title that unfolds it. */
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
