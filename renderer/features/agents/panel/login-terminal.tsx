/** The terminal in which a person logs in to an agent's program. The terminal library is loaded when the first terminal is opened. */
import { useEffect, useRef } from 'react';
import type { LoginTerminal as TerminalState } from '#contract/clients/hosted-agent.ts';
import { call } from '../../../base/bridge.ts';
import { agents, useAgents } from '../agents-store.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { askToOpen } from '../../../base/notices/outside-link.tsx';
import { codeFontFamilies, onThemeChange, token } from '../../../theme/theme.ts';
import { mirror } from '../../../base/mirror.ts';
import { Button } from '../../../ui/button.tsx';
import { Row, Stack, Text } from '../../../ui/layout.tsx';
import styles from './login-terminal.module.css';

/** The terminal of an agent's login; draws nothing if none is open. */
export function LoginTerminal({ agent }: { agent: string }) {
  const state = useAgents(({ logins }) => logins.find((each) => each.agent === agent) ?? null);
  if (state === null) return null;
  const { title, run, problem } = state;
  return (
    <Stack gap={1} role="group" aria-label={`Terminal: ${title}`}>
      <Row gap={2} justify="between">
        <Text font="small-strong" tone={1} shrink breaks>
          {title}
        </Text>
        <Button size="small" onPress={() => void orNotice(call('hosted.closeLogin', { id: agent }))}>
          {state.state === 'running' ? 'Cancel the login' : 'Close the terminal'}
        </Button>
      </Row>
      <Screen key={run} agent={agent} run={run} />
      {problem === null ? null : (
        <Text as="p" tone="error" breaks lines="wrap" role="alert">
          {problem}
        </Text>
      )}
      <Text as="p" tone={3} breaks>
        Ctrl+Shift+C copies the selection, Ctrl+V pastes, F6 leaves the terminal. Links are opened when you click them.
      </Text>
    </Stack>
  );
}

/** How much output has been drawn, by login number. The program's requests in that output have already been answered. */
const drawn = new Map<number, number>();

function Screen({ agent, run }: { agent: string; run: number }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const closing = new AbortController();
    void orNotice(draw(place.current!, agent, run, closing.signal));
    return () => closing.abort();
  }, [agent, run]);
  return <div ref={place} className={styles.screen} />;
}

/** Draws the terminal into `place` until `signal` aborts. */
async function draw(place: HTMLElement, agent: string, run: number, signal: AbortSignal): Promise<void> {
  const [{ Terminal }, { FitAddon }, { WebLinksAddon }] = await Promise.all([
    import('@xterm/xterm'),
    import('@xterm/addon-fit'),
    import('@xterm/addon-web-links'),
    import('@xterm/xterm/css/xterm.css'),
  ]);
  if (signal.aborted) return;
  const terminal = new Terminal({
    fontFamily: codeFontFamilies(mirror.getState().settings?.codeFont ?? ''),
    fontSize: 12,
    theme: colours(),
    minimumContrastRatio: 4.5,
    screenReaderMode: true,
    scrollback: 2_000,
    linkHandler: { activate: (_event, address) => void orNotice(askToOpen(address)) },
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(new WebLinksAddon((_event, address) => void orNotice(askToOpen(address))));
  terminal.attachCustomKeyEventHandler((event) => handleKey(event, terminal));
  terminal.open(place);
  fit.fit();
  const resize = (): void => {
    fit.fit();
    const { cols: columns, rows } = terminal;
    void call('hosted.resizeLogin', { id: agent, columns, rows }).catch(() => {}); // fails if the terminal was just closed
  };
  resize();
  // Do not answer requests again if they are in output that is drawn again.
  const repeated = drawn.get(run) ?? 0;
  let isRepeating = repeated > 0;
  terminal.onData((text) => {
    if (!isRepeating) void orNotice(call('hosted.typeLogin', { id: agent, text }));
  });
  const size = new ResizeObserver(resize);
  size.observe(place);
  const stopTheme = onThemeChange(() => (terminal.options.theme = colours()));
  let written = 0;
  const write = (): void => {
    const state = agents.getState().logins.find((each) => each.agent === agent && each.run === run);
    if (!state) return;
    for (const end of [repeated, state.total]) {
      if (end <= written) continue;
      terminal.write(textBetween(state, written, end), () => {
        if (end === repeated) isRepeating = false;
        drawn.set(run, end);
      });
      written = end;
    }
  };
  write();
  const stopOutput = agents.subscribe(write);
  terminal.focus();
  signal.addEventListener('abort', () => {
    stopOutput();
    stopTheme();
    size.disconnect();
    terminal.dispose();
  });
}

/** Returns the stored output between two positions, counted from the start of all output. */
function textBetween({ text, total }: TerminalState, from: number, to: number): string {
  const cut = total - text.length;
  return text.slice(Math.max(0, from - cut), Math.max(0, to - cut));
}

/** Leaves copying and pasting to the window, and all other keys to the program. */
function handleKey(event: KeyboardEvent, terminal: { getSelection: () => string }): boolean {
  const key = event.key.toLowerCase();
  if (event.type !== 'keydown' || !(event.ctrlKey || event.metaKey)) return true;
  if (key === 'v') return false;
  if (key !== 'c' || !(event.shiftKey || event.metaKey)) return true;
  event.preventDefault();
  void orNotice(call('app.copy', { text: terminal.getSelection() }));
  return false;
}

function colours(): { background: string; foreground: string; cursor: string; selectionBackground: string } {
  return {
    background: token('surface-0'),
    foreground: token('text-1'),
    cursor: token('accent'),
    selectionBackground: token('selection'),
  };
}
