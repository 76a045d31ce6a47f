/** Handles all keys before any other part of the page, and runs the commands bound to them in the chosen keymap. */
import { keyContexts } from './key-contexts.ts';
import { isModifier, type KeyPress, keyText, strokeOf } from '../../ui/menus/key-strokes.ts';
import { begins, meaningOf } from './key-sequences.ts';
import { isAsking } from '../notices/ask.tsx';
import { allBindings, canRun, currentKeymap, forgetPrevious, meantBy, runCommand } from './command-registry.ts';
import type { KeymapBinding } from './bindings.ts';
import { keyState, sayOfKeys, tellAsked } from './key-state.ts';
import { endAwaiting, isAwaited, tellAwaited } from './next-key.ts';

/** The keys pressed so far in an unfinished sequence. */
let pressed: KeyPress[] = [];
/** True while a simulated key is dispatched. */
let passing = false;
/** Commands that stop running work. They work even while a dialog is open. */
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

/** Calls `listener` with each key that is not bound to a command, before any other part of the page gets it. */
export function onOtherKeys(listener: (event: KeyboardEvent) => void): void {
  typing.add(listener);
}

/** Sends the focused element another key instead of the pressed one. Returns true if the element handled that key. */
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

/** Key codes, on which the editor relies. */
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
  // A character typed with AltGr, which some systems report as Ctrl and Alt.
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
    return sayOfKeys(`${textOf(presses)} is not bound here.`);
  }
  forgetPrevious();
  for (const each of typing) each(event);
}

/** Handles a key while a dialog is open. Only commands that stop running work are run. */
function whileAsking(event: KeyboardEvent, take: () => void): void {
  endSequence();
  const meaning = meaningOf(allBindings(), [pressOf(event)], keyContexts(), mayAct);
  if (meaning.kind === 'command' && ALWAYS.has(meaning.binding.command)) act(meaning.binding, take);
  else if (meaning.kind === 'command' || meaning.kind === 'begun') take();
}

function act(binding: KeymapBinding, take: () => void): void {
  const command = meantBy(binding);
  // Consume the key even if the command cannot run now, because the person did not intend its system meaning, such as closing the window.
  if (!command?.passes) take();
  if (!command) {
    forgetPrevious();
    return sayOfKeys(`${keyText(binding.keys)}, ${binding.title ?? binding.command}: not implemented yet.`);
  }
  const when = command.when?.() ?? true;
  if (when !== true && currentKeymap() === 'slime' && !command.passes)
    sayOfKeys(`${keyText(binding.keys)}, ${command.title}: only ${when}.`);
  runCommand(command.id);
}

/** True if a binding should handle its keys. This includes the binding of a missing command, which then shows a message. */
function mayAct(binding: KeymapBinding): boolean {
  const command = meantBy(binding);
  return command === undefined || canRun(command);
}

/**
 * Reports the pressed keys to the listener of `askForKeys` and consumes them. Escape ends this, and Tab still moves the focus, so that the
 * person is not trapped.
 */
function tell(event: KeyboardEvent, take: () => void): void {
  if (event.key === 'Tab' && !event.ctrlKey && !event.altKey) return;
  take();
  if (event.key === 'Escape') {
    pressed = [];
    return tellAsked(null);
  }
  const presses = [...pressed, pressOf(event)];
  // A longer sequence may start with these keys in any context.
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
