/** The inspector: an object of the image with its parts, the path that led to it, and a second object that is pinned below. */
import { ArrowLeft, ArrowRight, Columns2, Eye, Pin, RefreshCw, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ToggleButton } from 'react-aria-components';
import { focusRegion } from '../../../base/layout/regions.ts';
import { commandKeys, runCommand } from '../../../base/keys/command-registry.ts';
import { mainViewer, pinnedViewer, unpin, useInspector, useViewer } from '../inspector.ts';
import { INSPECTOR_LETTERS } from '../letters.ts';
import { Empty } from '../../../ui/panels/empty.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Keys } from '../../../ui/menus/keys.tsx';
import { Row, Stack, Text, Truncate } from '../../../ui/layout.tsx';
import { classes, look } from '../../../ui/look.ts';
import { Ring } from '../../../ui/mark.tsx';
import { Region } from '../../../ui/panels/panel.tsx';
import { Hint } from '../../../ui/menus/tooltip.tsx';
import { Comparison } from './comparison.tsx';
import { ObjectView } from './object-view.tsx';
import buttonStyles from '../../../ui/button.module.css';
import type { Step } from '../viewer-state.ts';
import styles from './inspector.module.css';

/** Milliseconds before the panel shows that it is waiting for an answer. */
const MOMENT_MS = 300;

export function Inspector() {
  useKeptFocus();
  const shown = useViewer(mainViewer, ({ steps }) => steps.length > 0);
  const pinned = useViewer(pinnedViewer, ({ steps, at }) => steps[at]?.label ?? null);
  const comparing = useInspector((state) => state.comparing);
  return (
    <Region name="Inspector">
      <Stack grow onKeyDown={onKeyDown}>
        <Path />
        <Awaited />
        {shown ? (
          comparing && pinned !== null ? (
            <Comparison />
          ) : (
            <ObjectView viewer={mainViewer} name="Parts" />
          )
        ) : (
          <Nothing />
        )}
        {pinned === null || comparing ? null : <Pinned label={pinned} />}
      </Stack>
    </Region>
  );
}

function onKeyDown(event: KeyboardEvent): void {
  const letter = INSPECTOR_LETTERS.find(({ key }) => key === event.key);
  const typing = event.target instanceof Element && event.target.closest('textarea, input') !== null;
  if (!letter || typing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  event.preventDefault();
  runCommand(letter.command);
}

/** Shows which object was requested if the answer takes longer than a moment. */
function Awaited() {
  const label = useViewer(mainViewer, (state) => state.waitsFor);
  return label === null ? null : <Late key={label} label={label} />;
}

function Late({ label }: { label: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), MOMENT_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!late) return null;
  return (
    <Row gap={2} padX={4} padY={1} fixed font="small" tone={3} edge="bottom" role="status">
      <Ring />
      <Truncate>Waiting for the image to show {label}</Truncate>
    </Row>
  );
}

/** Moves the focus back to the panel when the focused element in it is no longer drawn. */
function useKeptFocus(): void {
  const at = useViewer(mainViewer, (state) => state.steps[state.at]);
  const comparing = useInspector((state) => state.comparing);
  const inside = useRef(false);
  useEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      inside.current = target instanceof Element && target.closest('[data-region="Inspector"]') !== null;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  useLayoutEffect(() => {
    if (inside.current && document.activeElement === document.body) focusRegion('Inspector');
  }, [at, comparing]);
}

function Nothing() {
  const keys = commandKeys('inspect.atCaret');
  return (
    <Empty title="Nothing to inspect.">
      <p>Click a value in the REPL, or a local of a frame.</p>
      {keys ? (
        <p>
          <Keys keys={keys} /> inspects the value of the form at the caret, and in the REPL the last value.
        </p>
      ) : null}
    </Empty>
  );
}

/** Returns the label of a step in the path. The last value of a REPL is labelled by its content, since every last value is `*`. */
function crumbLabel({ label, head }: Step): string {
  return label === '*' ? (head?.title ?? label) : label;
}

/** The path to the object from the place where the person began, and the actions of the panel. */
function Path() {
  const steps = useViewer(mainViewer, (state) => state.steps);
  const at = useViewer(mainViewer, (state) => state.at);
  const watching = useViewer(mainViewer, (state) => state.watching);
  const pinned = useViewer(pinnedViewer, (state) => state.steps.length > 0);
  const comparing = useInspector((state) => state.comparing);
  const none = steps.length === 0;
  const here = steps[at];
  const behind = steps.slice(0, at + 1);
  const way = behind.slice(
    Math.max(
      0,
      behind.findLastIndex(({ isPart }) => !isPart),
    ),
  );
  return (
    <Row gap={1} padX={2} padY={1} fixed edge="bottom" font="small">
      <IconButton
        label="Back"
        keys={commandKeys('inspector.back')}
        isDisabled={at <= 0}
        onPress={() => runCommand('inspector.back')}
      >
        <ArrowLeft className="icon" aria-hidden />
      </IconButton>
      <IconButton
        label="Forward"
        keys={commandKeys('inspector.forward')}
        isDisabled={at >= steps.length - 1}
        onPress={() => runCommand('inspector.forward')}
      >
        <ArrowRight className="icon" aria-hidden />
      </IconButton>
      <Row as="nav" gap={1} grow className={styles.path} aria-label="Path of inspected objects">
        {way.map((step, index) => (
          <Row key={step.id} gap={1} shrink className={classes(styles.crumb, step === here ? styles.here : undefined)}>
            {index > 0 ? <Text tone={3}>›</Text> : null}
            {step === here ? (
              <Truncate className="code" aria-current="true">
                {crumbLabel(step)}
              </Truncate>
            ) : (
              <button
                type="button"
                className={look({ truncate: true, tone: 2 }, 'code')}
                onClick={() => mainViewer.goTo(steps.indexOf(step))}
              >
                {crumbLabel(step)}
              </button>
            )}
          </Row>
        ))}
      </Row>
      <IconButton
        label="Refresh"
        keys={commandKeys('inspector.refresh')}
        isDisabled={none}
        onPress={() => runCommand('inspector.refresh')}
      >
        <RefreshCw className="icon" aria-hidden />
      </IconButton>
      <Toggle label="Watch: refresh after each evaluation" on={watching} off={none} command="inspector.watch">
        <Eye className="icon" aria-hidden />
      </Toggle>
      <Toggle label="Pin below" on={pinned} off={none && !pinned} command="inspector.pin">
        <Pin className="icon" aria-hidden />
      </Toggle>
      <Toggle label="Compare with the pinned object" on={comparing} off={!pinned} command="inspector.compare">
        <Columns2 className="icon" aria-hidden />
      </Toggle>
    </Row>
  );
}

function Toggle({
  label,
  on,
  off,
  command,
  children,
}: {
  label: string;
  on: boolean;
  off: boolean;
  command: string;
  children: ReactNode;
}) {
  return (
    <Hint text={label} keys={commandKeys(command)} placement="bottom">
      <ToggleButton
        isSelected={on}
        isDisabled={off}
        aria-label={label}
        onChange={() => runCommand(command)}
        className={look(
          { flow: 'row', inline: true, justify: 'center', fixed: true, tone: on ? 'accent' : 2, round: 'control' },
          buttonStyles.iconButton,
        )}
      >
        {children}
      </ToggleButton>
    </Hint>
  );
}

function Pinned({ label }: { label: string }) {
  return (
    <Stack edge="top" className={styles.pinned}>
      <Row gap={2} padX={3} padY={1} fixed edge="bottom" font="small">
        <Truncate grow className="code">
          {label}
        </Truncate>
        <Text tone={3}>pinned</Text>
        <IconButton label="Refresh the pinned object" onPress={() => void pinnedViewer.refresh()}>
          <RefreshCw className="icon" aria-hidden />
        </IconButton>
        <IconButton label="Unpin" onPress={unpin}>
          <X className="icon" aria-hidden />
        </IconButton>
      </Row>
      <ObjectView viewer={pinnedViewer} name="Parts of the pinned object" brief />
    </Stack>
  );
}
