/** The palette: opens in place over the command field, lists what fits, runs the chosen one. */
import './palette.css';
import { Boxes, ChevronRight, Search, Terminal } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { evaluate } from '../evaluations.ts';
import { hueFor, nameOf } from '../layout/actors.ts';
import { showDock } from '../layout/layout-store.ts';
import { orNotice } from '../layout/notices.tsx';
import { closeOverlay } from '../layout/overlays.ts';
import { useStepAside } from '../layout/step-aside.ts';
import { useMirror } from '../mirror.ts';
import { openDefinition } from '../panels/definitions/jump.ts';
import { loadSystem, refreshSystems, useSystems } from '../panels/systems/systems-store.ts';
import { CodeText } from '../ui/code-text.tsx';
import { Keys } from '../ui/keys.tsx';
import { ActorMark } from '../ui/mark.tsx';
import { StateMark } from '../ui/state-mark.tsx';
import { STATES, statesOf } from '../panels/definitions/states.ts';
import { type PaletteItem, paletteItems } from './palette-items.ts';
import { allCommands, runCommand } from './registry.ts';

export function Palette({ text: first }: { text: string }) {
  const [text, setText] = useState(first);
  const [chosen, setChosen] = useState(0);
  const definitions = useMirror((state) => state.definitions);
  const deviations = useMirror((state) => state.deviations.deviations);
  const project = useMirror((state) => state.project);
  const { systems } = useSystems();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const before = useRef(document.activeElement);
  const prefix = useId();
  const stepAside = useStepAside();
  // Computed while the palette opens: what can run depends on where the focus was.
  const commands = useMemo(() => allCommands(), []);
  const items = useMemo(
    () => paletteItems(text, { commands, definitions, states: statesOf(deviations), systems: systems ?? [] }),
    [text, commands, definitions, deviations, systems],
  );
  const index = Math.min(chosen, items.length - 1);

  useEffect(() => {
    stepAside(true);
    input.current?.focus();
    const behind = before.current;
    return () => {
      stepAside(false);
      if (
        behind instanceof HTMLElement &&
        behind.isConnected &&
        (document.activeElement === document.body || document.activeElement === null)
      )
        behind.focus();
    };
  }, [stepAside]);
  useEffect(() => {
    if (text.startsWith('#') && systems === null) void refreshSystems();
  }, [text, systems]);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [index, items]);

  const close = (): void => {
    if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
    closeOverlay();
  };
  const run = (item: PaletteItem | undefined): void => {
    if (!item || item.disabled !== null) return;
    close();
    act(item);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Record<string, () => void> = {
      ArrowDown: () => setChosen((index + 1) % Math.max(1, items.length)),
      ArrowUp: () => setChosen((index - 1 + items.length) % Math.max(1, items.length)),
      PageDown: () => setChosen(Math.min(items.length - 1, index + 10)),
      PageUp: () => setChosen(Math.max(0, index - 10)),
      Enter: () => run(items[index]),
      Escape: close,
      Tab: () => undefined,
    };
    const step = steps[event.key];
    if (!step || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    step();
  };

  return (
    <div
      className="palette-back"
      onPointerDown={(event) => (event.target === event.currentTarget ? close() : undefined)}
    >
      <div className="palette" role="dialog" aria-label="Command palette" data-region="Palette">
        <div className="palette-input">
          <Search className="icon" aria-hidden />
          <input
            ref={input}
            role="combobox"
            aria-label="Command field"
            aria-expanded
            aria-controls={`${prefix}list`}
            aria-activedescendant={items[index] ? `${prefix}${index}` : undefined}
            aria-autocomplete="list"
            value={text}
            placeholder="Search or run a command"
            spellCheck={false}
            onKeyDown={onKeyDown}
            onChange={(event) => {
              setText(event.target.value);
              setChosen(0);
            }}
          />
          {project ? <span className="palette-project">in {project.name}</span> : null}
        </div>
        <div ref={list} id={`${prefix}list`} role="listbox" aria-label="What fits" className="palette-list">
          {items.map((item, place) => (
            <Fitting
              key={item.id}
              item={item}
              id={`${prefix}${place}`}
              heads={item.section !== items[place - 1]?.section}
              selected={place === index}
              onPick={() => run(item)}
            />
          ))}
          {items.length === 0 ? <p className="palette-nothing">Nothing called that.</p> : null}
        </div>
        <div className="palette-foot">
          <Kind char=">" word="commands" />
          <Kind char="@" word="definitions" />
          <Kind char="#" word="systems" />
          <Kind char="(" word="evaluate" />
          <span className="palette-run">
            <Keys keys="Enter" /> run
          </span>
        </div>
      </div>
    </div>
  );
}

const ICONS = { Commands: ChevronRight, Definitions: ChevronRight, Systems: Boxes, Evaluate: Terminal };

interface FittingProps {
  item: PaletteItem;
  id: string;
  heads: boolean;
  selected: boolean;
  onPick: () => void;
}

function Fitting({ item, id, heads, selected, onPick }: FittingProps) {
  const clients = useMirror((state) => state.clients);
  const Icon = item.icon ?? ICONS[item.section];
  return (
    <>
      {heads ? (
        <div className="palette-section" role="presentation">
          {item.section}
        </div>
      ) : null}
      <div
        id={id}
        role="option"
        aria-selected={selected}
        aria-disabled={item.disabled !== null}
        className="palette-item"
        onClick={onPick}
        onPointerDown={(event) => event.preventDefault()}
      >
        {item.letter === null ? (
          <Icon className="icon palette-icon" aria-hidden />
        ) : (
          <span className="palette-letter" aria-hidden>
            {item.letter}
          </span>
        )}
        <span className={item.section === 'Commands' ? 'palette-title' : 'palette-title code'}>
          {item.section === 'Evaluate' ? (
            <CodeText text={item.title} />
          ) : (
            <Matched title={item.title} match={item.match} />
          )}
        </span>
        {item.agent === null ? null : (
          <span className="palette-agent">
            <ActorMark hue={hueFor({ id: item.agent }, clients)} />
            {nameOf(item.agent, clients)}
          </span>
        )}
        {item.state === null ? null : (
          <span className="palette-state">
            <StateMark state={item.state} label={STATES[item.state].one} />
          </span>
        )}
        {item.detail === null ? null : (
          <span className={item.section === 'Definitions' ? 'palette-detail code' : 'palette-detail'}>
            {item.detail}
          </span>
        )}
        {item.keys === null ? null : <Keys keys={item.keys} />}
      </div>
    </>
  );
}

function Matched({ title, match }: Pick<PaletteItem, 'title' | 'match'>) {
  if (!match) return title;
  return (
    <>
      {title.slice(0, match.start)}
      <mark>{title.slice(match.start, match.end)}</mark>
      {title.slice(match.end)}
    </>
  );
}

function Kind({ char, word }: { char: string; word: string }) {
  return (
    <span className="palette-kind">
      <span className="code">{char}</span> {word}
    </span>
  );
}

function act(item: PaletteItem): void {
  const { target } = item;
  if ('command' in target) {
    runCommand(target.command);
  } else if ('definition' in target) {
    void orNotice(openDefinition(target.definition));
  } else if ('system' in target) {
    void orNotice(loadSystem(target.system));
  } else {
    showDock('repl');
    void evaluate({ code: target.code, origin: 'repl', package: null, source: null });
  }
}
