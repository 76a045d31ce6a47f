/** The restarts that a client proposes in a debugger. The buttons open Review, where the person decides. */
import type { DebuggerHead, DebuggerRecord, RestartProposal } from '#contract/image/debugger.ts';
import { LongText } from '../../../editor/groups/long-text.tsx';
import { hueFor } from '../../../base/actors.ts';
import { call } from '../../../base/bridge.ts';
import { useMirror } from '../../../base/mirror.ts';
import { plainName } from '../names.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { Button } from '../../../ui/button.tsx';
import { Row, Stack, Text } from '../../../ui/layout.tsx';
import { ActorMark } from '../../../ui/mark.tsx';
import { Hint } from '../../../ui/menus/tooltip.tsx';
import { focusRestarts } from './focus.ts';
import styles from './debugger.module.css';

export function Proposals({ head, record }: { head: DebuggerHead; record: DebuggerRecord }) {
  if (head.proposals.length === 0) return null;
  return (
    <Stack as="section" fixed gap={2} padX={3} padY={2} aria-label="Proposed restarts">
      {head.proposals.map((proposal) => (
        <Proposal key={proposal.approval} proposal={proposal} record={record} />
      ))}
    </Stack>
  );
}

function Proposal({ proposal, record }: { proposal: RestartProposal; record: DebuggerRecord }) {
  const { approval, actor, restart, forms, claim } = proposal;
  const hue = useMirror((state) => hueFor(actor, state.clients));
  const name = record.restarts.find(({ index }) => index === restart)?.name ?? null;
  const review = (denying: boolean): void =>
    void orNotice(call('review.show', { open: true, focus: true, card: approval, denying }));
  return (
    <Stack gap={2} padX={3} padY={2} surface={3} round="control" role="group" aria-label={`Proposal of ${actor.name}`}>
      <Row gap="mark" wrap font="small" tone={2}>
        <ActorMark hue={hue} />
        <Text font="small-strong" tone={1}>
          {actor.name}
        </Text>
        <span>
          proposes restart {restart}
          {name === null ? null : (
            <>
              , <Text className="code">{plainName(name)}</Text>
            </>
          )}
          {forms.length > 0 ? ', with' : null}
        </span>
      </Row>
      {forms.map((form, at) => (
        // A form can only be identified by its position, because two forms may be equal, so the index is its key.
        // oxlint-disable-next-line react/no-array-index-key
        <Text key={at} as="pre" lines="wrap" breaks selectable className={styles.proposedForm} tabIndex={0}>
          <LongText code text={form} title={`Form of ${actor.name}`} />
        </Text>
      ))}
      {claim === null ? null : (
        <Text as="p" font="small" tone={3} breaks className={styles.claim}>
          “<LongText text={claim} title={`Explanation of ${actor.name}`} shown={600} />” it claims (unverified)
        </Text>
      )}
      <Row gap={2} wrap>
        <Hint text="Opens the request in Review for your decision" placement="top">
          <Button size="small" onPress={() => review(false)}>
            Approve…
          </Button>
        </Hint>
        <Hint text="If you take a restart yourself, the request is withdrawn" placement="top">
          <Button size="small" kind="quiet" onPress={focusRestarts}>
            Choose Another
          </Button>
        </Hint>
        <Hint text="Opens the request in Review, where you can give a reason" placement="top">
          <Button size="small" kind="quiet" onPress={() => review(true)}>
            Deny…
          </Button>
        </Hint>
      </Row>
    </Stack>
  );
}
