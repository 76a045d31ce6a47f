/** One text of a client's configuration, to copy, or to write into its file once the change was looked at. */
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import type { DiffLine } from '#contract/approval.ts';
import type { ClientKind, Configuration, ConfigurationPlan } from '#contract/connection.ts';
import { call, messageOf } from '../../bridge.ts';
import { orNotice } from '../../layout/notices.tsx';
import { Button } from '../../ui/button.tsx';

export interface ConfigurationBlockProps {
  kind: ClientKind;
  token: string;
  configuration: Configuration;
}

export function ConfigurationBlock({ kind, token, configuration }: ConfigurationBlockProps) {
  const { way, title, text, file, writable, note } = configuration;
  const [plan, setPlan] = useState<ConfigurationPlan | null>(null);
  const [told, setTold] = useState<{ text: string; failed: boolean } | null>(null);
  const [copied, setCopied] = useState(false);
  const name = file === null ? title : `${title} ${file}`;
  const orTold = async (action: Promise<void>): Promise<void> => {
    setTold(null);
    await action.catch((error: unknown) => {
      setPlan(null);
      setTold({ text: messageOf(error), failed: true });
    });
  };
  const look = async (): Promise<void> => {
    const found = await call('clients.planConfiguration', { kind, way, token });
    if (found.same) setTold({ text: 'The file holds just that already.', failed: false });
    else setPlan(found);
  };
  const write = async ({ digest }: ConfigurationPlan): Promise<void> => {
    const { backup } = await call('clients.writeConfiguration', { kind, way, token, digest });
    setPlan(null);
    const kept = backup === null ? 'The file is new.' : `The file as it was is kept as ${backup}.`;
    setTold({ text: `Written. ${kept} Start the client again.`, failed: false });
  };
  const copy = async (): Promise<void> => {
    await call('app.copy', { text });
    setCopied(true);
  };
  return (
    <div className="copy-block">
      <div className="copy-title">
        {title} {file === null ? null : <span className="code connect-file">{file}</span>}
      </div>
      <div className="copy-box">
        <pre className="code copy-text" tabIndex={0} aria-label={name}>
          {text}
        </pre>
        <div className="connect-actions">
          <Button
            size="small"
            aria-label={`Copy ${title}`}
            icon={
              copied ? (
                <Check className="icon-small good-mark" aria-hidden />
              ) : (
                <Copy className="icon-small" aria-hidden />
              )
            }
            onPress={() => void orNotice(copy())}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
          {writable && !plan ? (
            <Button size="small" aria-label={`Write into ${file}…`} onPress={() => void orTold(look())}>
              Write…
            </Button>
          ) : null}
        </div>
      </div>
      {note ? <p className="connect-note">{note}</p> : null}
      {plan ? (
        <div className="connect-plan" role="group" aria-label={`What would change in ${plan.file}`}>
          <p className="connect-note">
            {plan.change.bytesBefore === null ? 'A new file' : 'What would change'}: {plan.change.added} lines added,{' '}
            {plan.change.removed} removed
          </p>
          <Diff plan={plan} />
          <div className="connect-decision">
            <Button size="small" onPress={() => setPlan(null)}>
              Leave it
            </Button>
            <Button size="small" kind="primary" onPress={() => void orTold(write(plan))}>
              Write it
            </Button>
          </div>
        </div>
      ) : null}
      {told ? (
        <p className={told.failed ? 'connect-failed' : 'connect-note'} role={told.failed ? 'alert' : 'status'}>
          {told.text}
        </p>
      ) : null}
    </div>
  );
}

const SIGNS: Record<DiffLine['kind'], string> = { same: ' ', added: '+', removed: '−' };

function Diff({ plan: { file, change } }: { plan: ConfigurationPlan }) {
  if (change.withoutDiff) return <p className="connect-note">{change.withoutDiff}</p>;
  return (
    <pre className="code connect-diff" tabIndex={0} aria-label={`Change of ${file}`}>
      {change.hunks.flatMap(({ lines }, hunk) =>
        lines.map((line, index) => (
          <span key={`${hunk}:${index}`} className={`connect-line connect-${line.kind}`}>
            {`${SIGNS[line.kind]} ${line.text}\n`}
          </span>
        )),
      )}
    </pre>
  );
}
