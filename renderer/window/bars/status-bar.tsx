/** The status bar: facts about the shown image, its protections, problems, servers, and the shown file. */
import { CircleX, TriangleAlert } from 'lucide-react';
import { Button } from 'react-aria-components';
import type { Session } from '#contract/image/session.ts';
import { keyText } from '../../ui/menus/key-strokes.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { useKeyState } from '../../base/keys/key-state.ts';
import { countProblems, countWords, useProblems } from '../../features/diagnostics/problems.ts';
import { useBuffers } from '../../editor/text/buffers.ts';
import { FileFormatItems } from './file-format-items.tsx';
import { useMirror } from '../../base/mirror.ts';
import { useOfShownImage, useShownPackage, useShownRepl } from '../../base/image/active-repl.ts';
import { CheckpointsItem } from '../../features/checkpoints/status-item.tsx';
import { ProtectionItem } from '../../features/protection/status-item.tsx';
import { ServersItem } from '../../features/servers/status-item.tsx';
import { shownPackage } from '../../sexp/packages.ts';
import { Explained } from '../../ui/menus/tooltip.tsx';
import { useLayout } from '../../base/layout/layout-store.ts';
import { Ring } from '../../ui/mark.tsx';
import { useSeconds } from '../../ui/now.ts';
import { Row, Truncate } from '../../ui/layout.tsx';
import { look } from '../../ui/look.ts';
import styles from './status-bar.module.css';

export function StatusBar() {
  const session = useMirror((state) => state.session);
  const caret = useBuffers((state) => (state.active === null ? null : state.caret));
  const page = useLayout((state) => state.page);
  const speaks = useKeyState(({ begun, said }) => begun.length > 0 || said !== null);
  const heap = session.heapSize > 0 ? Math.round((session.heapUsed / session.heapSize) * 100) : null;
  return (
    <Row
      as="section"
      gap={4}
      padX={3}
      fixed
      font="small"
      tone={2}
      surface={0}
      edge="top"
      lines="one"
      className={styles.statusBar}
      aria-label="Status bar"
      data-region="Status bar"
    >
      <ReplPackage />
      <Row as="span" inline gap={4} fixed className={speaks ? styles.aside : undefined}>
        {session.lisp ? <LispName lisp={session.lisp} lacking={session.lacking} /> : null}
        {heap === null || session.pid === null ? null : <span className={styles.lisp}>heap {heap} %</span>}
        {session.pid === null ? null : <CheckpointsItem />}
        <ProtectionItem />
        <AgentAtWork />
      </Row>
      <KeysItem />
      <ProblemsItem />
      <ServersItem />
      {page === 'editor' ? <FileFormatItems /> : null}
      {caret && page === 'editor' ? (
        <span>
          Ln {caret.line}, Col {caret.column}
        </span>
      ) : null}
    </Row>
  );
}

/** The current package of the shown REPL; if that REPL is in another image, the first REPL's package. */
function ReplPackage() {
  const repl = useShownRepl();
  const name = useShownPackage();
  const ofFirst = useMirror(({ session }) => (session.id === repl.image ? null : session.package));
  return <span className="code">{shownPackage(ofFirst ?? name)}</span>;
}

const AT_WORK_MS = 1000;

/** The agent whose evaluation has been running in the shown image for more than a second, and the effect on the person's evaluations. */
function AgentAtWork() {
  const image = useOfShownImage((shown) => shown);
  const waits = useMirror((state) => state.settings.waitsForAgents);
  const turn = [image?.overtaken, image?.running].find((each) => each?.actor.kind === 'client');
  const now = useSeconds(turn !== undefined);
  if (!turn || now - turn.startedAt < AT_WORK_MS) return null;
  const what = `${turn.actor.name} is evaluating`;
  return waits ? (
    <Explained
      label={`${what}; your code is waiting`}
      text="Your evaluations wait until the agent’s evaluation has ended, because of your settings (Agents and safety)."
      icon={<Ring />}
      className={look({ flow: 'row', inline: true, gap: 'mark', round: 'inline' })}
    />
  ) : (
    <Explained
      label={`${what}; your code runs in parallel`}
      text="Your evaluations and lookups do not wait. Loads of systems wait, and no checkpoint is created until the agent’s evaluation ends."
      icon={<Ring />}
      className={look({ flow: 'row', inline: true, gap: 'mark', round: 'inline' })}
    />
  );
}

/** The keys of an unfinished sequence, or the outcome of the last sequence. */
function KeysItem() {
  const begun = useKeyState((state) => state.begun);
  const said = useKeyState((state) => state.said);
  const words = begun.length > 0 ? `${keyText(begun.join(' '))} was pressed. Waiting for the next key…` : said;
  return (
    <Truncate grow tone={begun.length > 0 ? 'accent' : 1} role="status" aria-label="Keys" title={words ?? undefined}>
      {words}
    </Truncate>
  );
}

/** The numbers of errors and warnings in the project; empty if there are none. */
function ProblemsItem() {
  const counts = countProblems(useProblems((state) => state.listed));
  const { error, warning } = counts;
  if (error + warning === 0) return null;
  return (
    <Button
      className={look({ flow: 'row', inline: true, gap: 'mark', round: 'inline' })}
      aria-label={`Problems: ${countWords(counts)}`}
      onPress={() => runCommand('view.problems')}
    >
      {error === 0 ? null : (
        <>
          <CircleX className="icon-small error-mark" aria-hidden /> {error}
        </>
      )}
      {warning === 0 ? null : (
        <>
          <TriangleAlert className={look({ tone: 'warning' }, 'icon-small')} aria-hidden /> {warning}
        </>
      )}
    </Button>
  );
}

/** The name of the Lisp implementation, with a warning about features that do not work with it. */
function LispName({ lisp, lacking }: { lisp: string; lacking: Session['lacking'] }) {
  if (lacking.length === 0) return <span className={styles.lisp}>{lisp}</span>;
  const features = lacking.map(({ feature, names }) => `${feature} (SBCL lacks ${names.join(', ')})`);
  return (
    <Explained
      label={`${lisp}, some features do not work`}
      text={`Some features do not work, because this SBCL lacks functions that Lisp Workbench needs: ${features.join('; ')}. All other features work.`}
      className={look({ flow: 'row', inline: true, gap: 'mark', round: 'inline', tone: 'error' })}
      icon={<CircleX className="icon-small" aria-hidden />}
    />
  );
}
