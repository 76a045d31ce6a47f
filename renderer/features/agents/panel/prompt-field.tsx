/**
 * The prompt field, with the attached chips above it. Enter sends the prompt; Shift+Enter inserts a line break. Images can be pasted,
 * dropped or chosen.
 */
import { CircleStop, ImagePlus, Paperclip, SendHorizontal, X } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useRef, useState } from 'react';
import type { HostedAgent, PromptContext } from '#contract/clients/hosted-agent.ts';
import { openText } from '../../../editor/text/whole-text.ts';
import { stopTurn } from '../agent-actions.ts';
import { IMAGE_FILES } from '../prompt-images.ts';
import { addImages, NEXT, removeChip, sendPrompt, usePrompt, writePrompt } from '../prompt-store.ts';
import { imageRefusal, takesPrompts } from '../descriptions.ts';
import { commandKeys } from '../../../base/keys/command-registry.ts';
import { messageOf } from '../../../base/bridge.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { Button } from '../../../ui/button.tsx';
import { IconButton, PlainIconButton } from '../../../ui/icon-button.tsx';
import { Row, Stack, Text, Truncate } from '../../../ui/layout.tsx';
import { look } from '../../../ui/look.ts';
import { useFocusLeft } from '../../../ui/panels/focus-left.ts';
import { Hint } from '../../../ui/menus/tooltip.tsx';
import { Button as AriaButton } from 'react-aria-components';
import { ImageMark } from './image-mark.tsx';
import styles from './agent.module.css';

/** The prompt field of an agent, or of the next agent if `agent` is null. */
export function PromptField({ agent }: { agent: HostedAgent | null }) {
  const id = agent?.id ?? NEXT;
  const { text, chips } = usePrompt(id);
  const area = useFocusLeft<HTMLTextAreaElement>();
  const works = agent?.state === 'working' || agent?.state === 'stopping';
  const canSend = agent !== null && takesPrompts(agent);
  const commands = matching(text, agent?.commands ?? []);
  const send = (): void => {
    if (canSend) void orNotice(sendPrompt(id));
  };
  const images = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const add = (files: readonly File[]): void => {
    setRefused(agent === null ? null : imageRefusal(agent));
    area.current?.focus();
    if (agent !== null && imageRefusal(agent) !== null) return;
    addImages(id, files).catch((error: unknown) => setRefused(messageOf(error)));
  };
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    // Treat a table or a page in the clipboard as text, even if the clipboard also contains an image of it.
    const { files, types } = event.clipboardData;
    if (files.length === 0 || types.includes('text/plain')) return;
    event.preventDefault();
    add([...files]);
  };
  const onDrop = (event: DragEvent<HTMLElement>): void => {
    const { files } = event.dataTransfer;
    if (files.length === 0) return;
    event.preventDefault();
    add([...files]);
  };
  const onDragOver = (event: DragEvent<HTMLElement>): void => {
    if (event.dataTransfer.types.includes('Files')) event.preventDefault();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const plain = !event.shiftKey && !event.altKey;
    if (event.key === 'Enter' && plain) {
      event.preventDefault();
      send();
    } else if (event.key === 'Tab' && plain && !event.ctrlKey && commands[0]) {
      event.preventDefault();
      writePrompt(id, `/${commands[0].name} `);
    }
  };
  return (
    <Stack gap={1} padX={3} padY={2} className={styles.prompt} onDrop={onDrop} onDragOver={onDragOver}>
      {chips.length > 0 ? <Chips agent={id} chips={chips} onGone={() => area.current?.focus()} /> : null}
      {commands.length > 0 ? (
        <Row as="ul" gap={2} wrap font="small" aria-label="Commands of the agent">
          {commands.map(({ name, detail }) => (
            <li key={name} title={detail}>
              <Button
                kind="link"
                size="small"
                onPress={() => {
                  writePrompt(id, `/${name} `);
                  area.current?.focus();
                }}
              >
                {`/${name}`}
              </Button>
            </li>
          ))}
        </Row>
      ) : null}
      {refused === null ? null : (
        <Text as="p" font="small" tone="warning" breaks role="alert">
          {refused}
        </Text>
      )}
      <Row align="stretch" gap={1} surface={2} round="control" className={styles.field}>
        <textarea
          ref={area}
          data-region-focus
          className={look({ padX: 2, padY: 1, breaks: true, selectable: true, lines: 'wrap', grow: true }, styles.text)}
          aria-label={agent ? `Prompt to ${agent.actor.name}` : 'Prompt to the next agent'}
          value={text}
          placeholder={placeholderOf(agent)}
          rows={1}
          onChange={(event) => {
            setRefused(null);
            writePrompt(id, event.target.value);
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <Row gap="half" fixed padX={1} className={styles.sending}>
          <input
            ref={images}
            type="file"
            accept={IMAGE_FILES}
            multiple
            hidden
            aria-label="Images for the prompt"
            onChange={({ target }) => {
              add([...(target.files ?? [])]);
              target.value = '';
            }}
          />
          <IconButton label="Add Images…" placement="top" onPress={() => images.current?.click()}>
            <ImagePlus className="icon-small" aria-hidden />
          </IconButton>
          {works ? (
            <Hint text="Stop the turn" keys={commandKeys('agent.stopTurn')} placement="top">
              <Button
                size="small"
                icon={<CircleStop className="icon-small" aria-hidden />}
                isDisabled={agent.state === 'stopping'}
                onPress={() => void orNotice(stopTurn(agent))}
              >
                Stop
              </Button>
            </Hint>
          ) : null}
          {agent === null ? null : (
            <IconButton
              label={works ? 'Queue for the next turn' : 'Send'}
              keys="Enter"
              placement="top"
              isDisabled={!canSend || text.trim() === ''}
              onPress={send}
            >
              <SendHorizontal className="icon-small" aria-hidden />
            </IconButton>
          )}
        </Row>
      </Row>
    </Stack>
  );
}

function placeholderOf(agent: HostedAgent | null): string {
  if (agent === null) return 'Prompt for the agent that you start';
  if (agent.state === 'starting') return 'Starting… You can already write a prompt';
  if (agent.state === 'login') return 'Log in first. Your text stays here';
  return agent.state === 'working' ? 'Queue a prompt for the next turn' : 'Ask the agent (Shift+Enter for a new line)';
}

/** Returns the agent's own commands that match the text typed after a slash. */
function matching(text: string, commands: HostedAgent['commands']): HostedAgent['commands'] {
  const typed = /^\/(\S{0,60})$/.exec(text)?.[1];
  if (typed === undefined) return [];
  return commands.filter(({ name }) => name.startsWith(typed)).slice(0, 8);
}

function Chips({ agent, chips, onGone }: { agent: string; chips: readonly PromptContext[]; onGone: () => void }) {
  return (
    <Row as="ul" wrap gap={1} aria-label="Attachments of the prompt" className={styles.chips}>
      {chips.map((chip) => (
        <Chip
          key={`${chip.kind} ${chip.title}`}
          chip={chip}
          onRemove={() => {
            removeChip(agent, chip);
            onGone();
          }}
        />
      ))}
    </Row>
  );
}

function Chip({ chip, onRemove }: { chip: PromptContext; onRemove: () => void }) {
  const [size] = useState(() => `${chip.text.length.toLocaleString('en')} characters`);
  return (
    <Row as="li" font="small" tone={1} className={styles.chip}>
      {chip.image ? (
        <Row gap={1} padX={1} shrink title={`${chip.title}, ${bytesOf(chip.image)}`}>
          <ImageMark name={chip.title} thumbnail={chip.image.thumbnail} />
          <Truncate>{chip.title}</Truncate>
        </Row>
      ) : (
        <Hint text={`Show attachment, ${size}`} placement="top">
          <AriaButton
            className={look({ flow: 'row', gap: 1, padX: 1, shrink: true, round: 'inline' }, styles.chipName)}
            aria-label={`Show attachment: ${chip.title}`}
            onPress={() => openText(chip.title, chip.text)}
          >
            <Paperclip className="icon-tiny" aria-hidden />
            <Truncate>{chip.title}</Truncate>
          </AriaButton>
        </Hint>
      )}
      <PlainIconButton aria-label={`Remove: ${chip.title}`} onPress={onRemove}>
        <X className="icon-tiny" aria-hidden />
      </PlainIconButton>
    </Row>
  );
}

function bytesOf({ data }: NonNullable<PromptContext['image']>): string {
  return `${Math.ceil((data.length * 3) / 4 / 1000).toLocaleString('en')} kB`;
}
