/**
 * An option, shown below the rule, that makes the workbench answer similar requests without a card. It is off unless the person ticks it.
 */
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { CardScope } from '#contract/decisions/approval.ts';
import { ShownText } from '../card/agent-text.tsx';
import { Box, Row } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import styles from './decision.module.css';
import controlsStyles from './controls.module.css';

export interface FurtherProps {
  scopes: readonly CardScope[];
  /** The id of the ticked scope; null if none is ticked. */
  remembered: string | null;
  onRemember: (scope: string | null) => void;
}

export function Further({ scopes, remembered, onRemember }: FurtherProps) {
  const id = useId();
  const [opened, setOpened] = useState(false);
  // The options stay visible while a scope is ticked.
  const open = opened || remembered !== null;
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <Box font="small" tone={2} className={styles.further}>
      <Row
        type="button"
        as="button"
        gap={1}
        tone={2}
        className={styles.furtherHead}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => {
          setOpened(!open);
          if (open) onRemember(null);
        }}
      >
        <Chevron className="icon-small" aria-hidden />
        Also approve similar requests
      </Row>
      <div id={id} hidden={!open}>
        {scopes.map((scope) => (
          <Row key={scope.id} as="label" align="start" gap={2} padY={1} breaks>
            <input
              type="checkbox"
              className={look({ fixed: true }, controlsStyles.tick)}
              checked={remembered === scope.id}
              onChange={({ target }) => onRemember(target.checked ? scope.id : null)}
            />
            <span>
              <ShownText className={look({ tone: 1 })} text={scope.words} />
              <span className={styles.furtherCount}>{scope.tried}</span>
            </span>
          </Row>
        ))}
      </div>
    </Box>
  );
}
