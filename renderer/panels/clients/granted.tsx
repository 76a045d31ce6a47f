/** What was granted on cards: rules that answer in the person's place until they end or are revoked. */
import { call } from '../../bridge.ts';
import { hueFor, nameOf } from '../../layout/actors.ts';
import { orNotice } from '../../layout/notices.tsx';
import { useMirror } from '../../mirror.ts';
import { Button } from '../../ui/button.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { endOf, inForce } from './model.ts';

export function Granted({ now }: { now: number }) {
  const granted = useMirror((state) => state.granted);
  const clients = useMirror((state) => state.clients);
  const holding = inForce(granted, now);
  if (holding.length === 0) return null;
  const revoke = (id: string | null): void => void orNotice(call('rules.revoke', { id }));
  return (
    <section className="client-section" aria-label="Rules that answer for you">
      <header className="client-section-head">
        <h3 className="section-head">Rules that answer for you</h3>
        {holding.length > 1 ? (
          <Button size="small" kind="quiet" onPress={() => revoke(null)}>
            Revoke all
          </Button>
        ) : null}
      </header>
      <ul>
        {holding.map((rule) => (
          <li key={rule.id} className="granted">
            <ActorMark hue={hueFor({ id: rule.client }, clients)} />
            <span className="granted-rule">
              <span className="granted-words">Allows {rule.words}</span>
              <span className="granted-end">
                {nameOf(rule.client, clients)} · {endOf(rule, now)}
              </span>
            </span>
            <Button size="small" kind="quiet" aria-label={`Revoke ${rule.words}`} onPress={() => revoke(rule.id)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
