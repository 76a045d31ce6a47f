/** A quiet offer below the rule: answer further requests like this one without a card. Off unless the person ticks it. */
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import type { CardScope } from '#contract/approval.ts';
import { ShownText } from './agent-text.tsx';
import { matchedWords, ruleWords } from './effect.ts';

export interface FurtherProps {
  scopes: readonly CardScope[];
  /** Id of the scope that is ticked; null is none. */
  remembered: string | null;
  onRemember: (scope: string | null) => void;
}

export function Further({ scopes, remembered, onRemember }: FurtherProps) {
  const id = useId();
  const [opened, setOpened] = useState(false);
  // What is ticked stays in sight.
  const open = opened || remembered !== null;
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <div className="further">
      <button
        type="button"
        className="further-head"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => {
          setOpened(!open);
          if (open) onRemember(null);
        }}
      >
        <Chevron className="icon-small" aria-hidden />
        Also approve further ones like this
      </button>
      <div id={id} hidden={!open}>
        {scopes.map((scope) => (
          <label key={scope.id} className="further-scope">
            <input
              type="checkbox"
              className="tick"
              checked={remembered === scope.id}
              onChange={({ target }) => onRemember(target.checked ? scope.id : null)}
            />
            <span>
              <ShownText className="scope-words" text={ruleWords(scope.label)} />
              <span className="further-count">{matchedWords(scope)}</span>
            </span>
          </label>
        ))}
      </div>
    </div>
  );
}
