/** The dialog about the protections of an image and of each client, with the agents' evaluations that the person has not accepted. */
import { useEffect, useState } from 'react';
import type { AgentsChanges } from '#contract/clients/agents-changes.ts';
import { plural } from '#contract/text/text.ts';
import { hueFor, nameOf } from '../../base/actors.ts';
import { call } from '../../base/bridge.ts';
import { useMirror } from '../../base/mirror.ts';
import { closeOverlay, openOverlay } from '../../base/layout/overlays.ts';
import { STANDINGS } from '../agents/descriptions.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeText } from '../../ui/code-text.tsx';
import { Dialog } from '../../ui/panels/dialog.tsx';
import { Facts } from '../../ui/panels/facts.tsx';
import { Row, Stack, Text } from '../../ui/layout.tsx';
import { ActorMark } from '../../ui/mark.tsx';
import { OnOff } from '../../ui/fields/on-off.tsx';
import styles from './protection.module.css';
import { wallNotice } from './descriptions.ts';

const NONE: AgentsChanges = { unreviewed: false, changes: [], upTo: 0 };

export function Protection({ image: id }: { image: string }) {
  const image = useMirror(({ session, images }) => [session, ...images].find((each) => each.id === id) ?? session);
  const settings = (): void => openOverlay({ kind: 'settings' });
  return (
    <Dialog
      title={`Protection of “${image.name}”`}
      onClose={closeOverlay}
      actions={
        <Button size="large" autoFocus onPress={closeOverlay}>
          Close
        </Button>
      }
    >
      <Stack as="section" gap={1} aria-label="Guard">
        <Text as="h3" font="small-strong">
          Guard: on for agents’ code
        </Text>
        <Text as="p" tone={2}>
          When their code writes, deletes, starts or connects to something, it waits for your approval, also if you call
          their code before you have reviewed it. The guard is a seat belt for ordinary Lisp code; it is not a security
          boundary.
        </Text>
        <Clients image={image.id} />
      </Stack>
      <Stack as="section" gap={1} aria-label="Your own code">
        <OnOff
          label="Ask about my own code while an agent’s change is unreviewed"
          value={image.asksPerson}
          onChange={(asks) => void orNotice(call('image.askPerson', { image: image.id, asks }))}
        />
        <Text as="p" tone={2}>
          Effects of your own code also wait for your approval while there is an agent’s evaluation that you have not
          accepted. This applies to this image until you change the setting for all images.
        </Text>
        <Changes image={image.id} unreviewed={image.unreviewed} />
      </Stack>
      <Stack as="section" gap={1} aria-label="Sandbox">
        <Text as="h3" font="small-strong">
          {image.target === null
            ? `Sandbox: ${image.sandbox === null ? 'off' : 'on'}`
            : `The image runs on ${image.target}`}
        </Text>
        <Text as="p" tone={2}>
          {wallNotice(image)}{' '}
          {image.target === null && image.sandbox === null ? (
            <Button kind="link" size="small" onPress={settings}>
              Settings…
            </Button>
          ) : null}
        </Text>
      </Stack>
    </Dialog>
  );
}

/** The clients with their modes, and the access level of each client's program if the workbench runs it. */
function Clients({ image }: { image: string }) {
  const clients = useMirror((state) => state.clients);
  const hosted = useMirror((state) => state.hostedAgents);
  const shared = useMirror(({ session }) => session.id === image);
  const here = clients.filter(({ ownImage, connections }) => connections > 0 && shared !== ownImage);
  if (here.length === 0) return null;
  return (
    <Facts>
      {here.map(({ id, name, mode, paused }) => {
        const agent = hosted.find(({ actor, state }) => actor.id === id && state !== 'ended');
        const program = agent
          ? `its program: ${STANDINGS[agent.standing].title.toLowerCase()}`
          : 'the workbench does not restrict its program';
        return (
          <div key={id} className={styles.client}>
            <dt>
              <ActorMark hue={hueFor({ id }, clients)} /> {name}
            </dt>
            <dd>
              {mode} mode{paused === null ? '' : ', paused'}; {program}
            </dd>
          </div>
        );
      })}
    </Facts>
  );
}

/**
 * Agents' evaluations since the person last accepted such evaluations. They are listed even if they do not make the guard ask about the
 * person's own code.
 */
function Changes({ image, unreviewed }: { image: string; unreviewed: boolean }) {
  const clients = useMirror((state) => state.clients);
  const [{ changes, upTo }, setChanges] = useState(NONE);
  useEffect(() => {
    void orNotice(call('image.changes', { image }).then(setChanges));
  }, [image, unreviewed]);
  if (changes.length === 0)
    return <Text tone={2}>Agents have not evaluated anything since you accepted their changes.</Text>;
  const accept = async (): Promise<void> => setChanges(await call('image.acceptChanges', { image, upTo }));
  return (
    <>
      <Text as="p">{`Not accepted: ${plural(changes.length, 'evaluation')}${changes.length === 20 ? ' and possibly earlier ones' : ''}`}</Text>
      <ol className={styles.changes} tabIndex={0} aria-label="Evaluations that you have not accepted">
        {changes.map(({ evaluation, actor, operation, code }) => (
          <li key={evaluation}>
            <ActorMark hue={hueFor({ id: actor }, clients)} label={nameOf(actor, clients)} />{' '}
            <Text font="code" breaks selectable>
              {operation === 'evaluate' ? null : `${operation}: `}
              <CodeText text={code ?? ''} />
            </Text>
          </li>
        ))}
      </ol>
      <Row gap={2}>
        <Button kind="primary" onPress={() => void orNotice(accept())}>
          Accept These
        </Button>
        <Button
          onPress={() => {
            closeOverlay();
            runCommand('view.definitions');
          }}
        >
          Show Definitions
        </Button>
      </Row>
    </>
  );
}
