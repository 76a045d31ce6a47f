/** The newest loads, those of agents too, with their progress and output. */
import { Check, CircleX } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import type { SystemLoad } from '#contract/system.ts';
import { hueFor, nameOf } from '../../layout/actors.ts';
import { useMirror } from '../../mirror.ts';
import { outputText } from '../../output.ts';
import { ActorMark, Ring } from '../../ui/mark.tsx';
import { CancelRun, RunProgress } from './progress.tsx';

const SHOWN = 4;

export function Loads() {
  const loads = useMirror((state) => state.loads);
  const newest = loads.slice(0, SHOWN);
  if (newest.length === 0) return null;
  return (
    <div className="loads">
      <h3 className="section-head">Loads</h3>
      {newest.map((load, index) => (
        <Load key={load.evaluation} load={load} open={index === 0} />
      ))}
    </div>
  );
}

function Load({ load, open }: { load: SystemLoad; open: boolean }) {
  const clients = useMirror((state) => state.clients);
  const runs = load.state === 'loading' || load.state === 'waiting';
  return (
    <div className="load">
      <div className="load-head">
        {runs ? (
          <Ring />
        ) : load.state === 'loaded' ? (
          <Check className="icon-small system-loaded" aria-hidden />
        ) : (
          <CircleX className="icon-small error-mark" aria-hidden />
        )}
        <span className="code load-name">{load.system}</span>
        <span className="load-state">{load.state}</span>
        {load.actor === 'person' ? null : (
          <ActorMark hue={hueFor({ id: load.actor }, clients)} label={`by ${nameOf(load.actor, clients)}`} />
        )}
        {runs ? <CancelRun evaluation={load.evaluation} label={`Cancel loading ${load.system}`} /> : null}
      </div>
      {runs ? <RunProgress evaluation={load.evaluation} label={`Progress of loading ${load.system}`} /> : null}
      {load.message && load.state !== 'loaded' ? <p className="load-message">{load.message}</p> : null}
      {open ? <RunOutput evaluation={load.evaluation} label={`Output of loading ${load.system}`} /> : null}
    </div>
  );
}

/** What a run printed; the end stays in sight. */
export function RunOutput({ evaluation, label }: { evaluation: string; label: string }) {
  const buffer = useMirror((state) => state.outputs.get(evaluation));
  const output = useMemo(() => (buffer ? outputText(buffer) : ''), [buffer]);
  const tail = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (tail.current) tail.current.scrollTop = tail.current.scrollHeight;
  }, [output]);
  if (output === '') return null;
  return (
    <pre ref={tail} className="code load-output" tabIndex={0} aria-label={label}>
      {output}
    </pre>
  );
}
