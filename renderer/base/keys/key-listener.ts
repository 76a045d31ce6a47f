/** Listens to all keys before anything on the page does, and runs what they mean in the chosen keymap. */
import { keyContexts } from './key-contexts.ts';
import { isModifier, type KeyPress, keyText, strokeOf } from '../../ui/menus/key-strokes.ts';
import { begins, meaningOf } from './key-sequences.ts';
import { isAsking } from '../notices/ask.tsx';
import { allBindings, canRun, currentKeymap, forgetPrevious, meantBy, runCommand } from './command-registry.ts';
import type { KeymapBinding } from './bindings.ts';
import { keyState, sayOfKeys, tellAsked } from './key-state.ts';
import { endAwaiting, isAwaited, tellAwaited } from './next-key.ts';

/** The presses of a sequence that is begun. */
let pressed: KeyPress[] = [];
/** True while a key is handed on that no one has pressed. */
let passing = false;
/** Commands that stop something, which nothing may stand in the way of. */
const ALWAYS = new Set(['evaluate.interrupt', 'agents.stop']);
const typing = new Set<(event: KeyboardEvent) => void>();

export function startKeymap(): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  window.addEventListener('keydown', onKeyDown, { capture: true, signal });
  const leave = (): void => {
    endSequence();
    endAwaiting();
    sayOfKeys(null);
    forgetPrevious();
  };
  window.addEventListener('pointerdown', leave, { capture: true, signal });
  window.addEventListener('blur', leave, { signal });
  return () => ending.abort();
}

/** Tells each key that means no command, before anything on the page gets it. */
export function onOtherKeys(listener: (event: KeyboardEvent) => void): void {
  typing.add(listener);
}

/** Has what has the focus hear a key that another key stands for; true when it did something with it. */
export function pressInstead(key: string): boolean {
  const target = document.activeElement ?? document.body;
  passing = true;
  try {
    const event = new KeyboardEvent('keydown', {
      key,
      code: key,
      keyCode: KEY_CODES[key] ?? 0,
      bubbles: true,
      cancelable: true,
    });
    return !target.dispatchEvent(event);
  } finally {
    passing = false;
  }
}

/** Numbers of keys, which the editor goes by. */
const KEY_CODES: Readonly<Record<string, number>> = {
  Enter: 13,
  Escape: 27,
  PageUp: 33,
  PageDown: 34,
  End: 35,
  Home: 36,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
};

function endSequence(): void {
  if (pressed.length === 0) return;
  pressed = [];
  keyState.setState({ begun: [] });
}

function onKeyDown(event: KeyboardEvent): void {
  if (passing || event.isComposing || event.key === 'Process' || isModifier(event.key)) return;
  // A character that is typed with AltGr, which some systems report as Ctrl and Alt.
  if (event.getModifierState('AltGraph') && event.key.length === 1) return forgetPrevious();
  const take = (): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  if (pressed.length > 0 && event.repeat) return take();
  if (isAwaited()) {
    take();
    return tellAwaited(pressOf(event));
  }
  if (keyState.getState().asked) return tell(event, take);
  sayOfKeys(null);
  if (isAsking()) return whileAsking(event, take);
  if (pressed.length > 0 && (event.key === 'Escape' || (event.ctrlKey && event.key === 'g'))) {
    endSequence();
    return take();
  }
  const presses = [...pressed, pressOf(event)];
  const meaning = meaningOf(allBindings(), presses, keyContexts(), mayAct);
  if (meaning.kind === 'begun') {
    pressed = presses;
    keyState.setState({ begun: presses.map((press) => strokeOf(press)) });
    return take();
  }
  const wasBegun = pressed.length > 0;
  endSequence();
  if (meaning.kind === 'command') return act(meaning.binding, take);
  if (wasBegun) {
    take();
    forgetPrevious();
    return sayOfKeys(`${textOf(presses)} means nothing here.`);
  }
  forgetPrevious();
  for (const each of typing) each(event);
}

/** The dialog has the keys: those of commands do nothing but stop what runs. */
function whileAsking(event: KeyboardEvent, take: () => void): void {
  endSequence();
  const meaning = meaningOf(allBindings(), [pressOf(event)], keyContexts(), mayAct);
  if (meaning.kind === 'command' && ALWAYS.has(meaning.binding.command)) act(meaning.binding, take);
  else if (meaning.kind === 'command' || meaning.kind === 'begun') take();
}

function act(binding: KeymapBinding, take: () => void): void {
  const command = meantBy(binding);
  // The key is taken even when the command cannot run now: its meaning to the system, such as closing the window, was not intended.
  if (!command?.passes) take();
  if (!command) {
    forgetPrevious();
    return sayOfKeys(`${keyText(binding.keys)}, ${binding.title ?? binding.command}: not there yet.`);
  }
  const when = command.when?.() ?? true;
  if (when !== true && currentKeymap() === 'slime' && !command.passes)
    sayOfKeys(`${keyText(binding.keys)}, ${command.title}: only ${when}.`);
  runCommand(command.id);
}

/** Keys of a command that is not there act by saying so. */
function mayAct(binding: KeymapBinding): boolean {
  const command = meantBy(binding);
  return command === undefined || canRun(command);
}

/** Tells who asked which keys were pressed, and takes them. Escape ends it, and Tab goes on, so that nobody is held. */
function tell(event: KeyboardEvent, take: () => void): void {
  if (event.key === 'Tab' && !event.ctrlKey && !event.altKey) return;
  take();
  if (event.key === 'Escape') {
    pressed = [];
    return tellAsked(null);
  }
  const presses = [...pressed, pressOf(event)];
  // In whatever context: a longer sequence goes on.
  const goesOn = allBindings().some(
    ({ strokes }) => strokes.length > presses.length && begins(strokes, presses, 'place'),
  );
  pressed = goesOn ? presses : [];
  tellAsked(presses);
}

function textOf(presses: readonly KeyPress[]): string {
  return keyText(presses.map((press) => strokeOf(press)).join(' '));
}

function pressOf({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): KeyPress {
  return { key, code, ctrlKey, metaKey, altKey, shiftKey };
}
