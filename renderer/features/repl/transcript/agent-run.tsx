/** The head of a run of an agent's evaluations, which folds and opens them. */
import { ChevronDown, ChevronRight } from 'lucide-react';
import type { CSSProperties } from 'react';
import { Button } from 'react-aria-components';
import { counted } from '#contract/text/text.ts';
import { visible } from '#contract/text/visible.ts';
import { useHue } from '../../../base/actors.ts';
import { useMirror } from '../../../base/mirror.ts';
import { Text } from '../../../ui/layout.tsx';
import { classes, look } from '../../../ui/look.ts';
import { ActorMark, hueOf, Ring } from '../../../ui/mark.tsx';
import type { RunHead } from './agent-runs.ts';
import styles from '../panel.module.css';

export function AgentRun({ run, onFold }: { run: RunHead; onFold: (run: RunHead) => void }) {
  const { actor, entries, isFolded } = run;
  const hue = useHue(actor);
  const failed = entries.filter(({ report }) => report !== null && report.status !== 'ok').length;
  const isRunning = entries.some(({ report }) => report === null);
  const isStopped = useMirror(({ debuggers }) =>
    debuggers.debuggers.some((head) => entries.some(({ evaluation }) => evaluation === head.evaluation)),
  );
  const facts = [
    failed > 0 ? `${failed.toLocaleString('en')} failed` : null,
    isStopped ? 'in the debugger' : isRunning ? 'evaluating' : null,
  ].filter((fact) => fact !== null);
  return (
    <div className={classes(styles.entry, styles.entryAgent)} style={{ '--hue': hueOf(hue) } as CSSProperties}>
      <Button
        className={look({ flow: 'row', inline: true, gap: 'mark', font: 'small', tone: 3, round: 'inline' }, undefined)}
        aria-expanded={!isFolded}
        onPress={() => onFold(run)}
      >
        {isFolded ? (
          <ChevronRight className="icon-tiny" aria-hidden />
        ) : (
          <ChevronDown className="icon-tiny" aria-hidden />
        )}
        <ActorMark hue={hue} />
        <span>
          <Text font="small-strong" tone={1}>
            {visible(actor.name)}
          </Text>
          : {[counted(entries.length, 'evaluation'), ...facts].join(' · ')}
        </span>
        {isRunning && !isStopped ? <Ring /> : null}
      </Button>
    </div>
  );
}
