/** The facts of suspended code: the earlier effects of its evaluation, and the agent's own frames that led to it. */
import { visibleLine } from '#contract/text/visible.ts';
import { capitalized, counted, plural } from '#contract/text/text.ts';
import { Fragment, useState } from 'react';
import type { ApprovalCard, CardEffect } from '#contract/decisions/approval.ts';
import { colourLine, initialColour } from '../../sexp/reading/colour.ts';
import { AgentText, Pieces, ShownText } from './agent-text.tsx';
import { Push } from '../button.tsx';
import { Fact, LevelFact, Undo } from './card-facts.tsx';
import { Details } from './details.tsx';
import { Disclosure } from './disclosure.tsx';
import { detailsOf } from './effect-details.ts';
import { evaluatedForm, frameRows } from './frames.ts';
import { piecesOf } from '../diff/pieces.ts';
import { Box, Text, Truncate } from '../../ui/layout.tsx';
import { classes, look } from '../../ui/look.ts';
import styles from './facts.module.css';
import effectStyles from './effect.module.css';

/** The number of frames shown before the person expands the list. */
const FRAMES_SHOWN = 6;
/** How many of the latest earlier effects are shown before the person expands the list. */
const BEFORE_SHOWN = 3;

export function EffectFactList({ card, effect }: { card: ApprovalCard; effect: CardEffect }) {
  const { target, known } = card.facts;
  const soFar = (
    <Fact label="So far">
      <SoFar effect={effect} />
    </Fact>
  );
  return (
    <>
      <Box as="dl" font="small" className={styles.facts}>
        {target === null ? null : (
          <Fact label={target.label}>
            <ShownText className="code" text={visibleLine(target.text)} />
            {target.measures ? <span className={styles.line}>{target.measures}</span> : null}
          </Fact>
        )}
        {known
          .filter(({ place }) => place === 'line')
          .map(({ name, value }) => (
            <Fact key={name} label={<AgentText text={LABELS[name] ?? capitalized(name)} />}>
              <ShownText className={look({ tone: 1 })} text={visibleLine(value)} />
            </Fact>
          ))}
        <Undo card={card} />
        {effect.beforeCount > 0 ? soFar : null}
      </Box>
      <Details>
        <LevelFact card={card} />
        {detailsOf(known).map(({ name, lines }) => (
          <Fact key={`${name} ${lines[0]}`} label={<AgentText text={capitalized(name)} />}>
            {lines.map((line) => (
              <ShownText key={line} className={styles.line} text={line} />
            ))}
          </Fact>
        ))}
        {effect.beforeCount > 0 ? null : soFar}
      </Details>
    </>
  );
}

/** Labels that are shorter than the names that the image uses. */
const LABELS: Readonly<Record<string, string>> = { 'working directory': 'Folder' };

/** Shows the evaluation's effects before this one. */
function SoFar({ effect: { before, beforeCount } }: { effect: CardEffect }) {
  const [all, setAll] = useState(false);
  if (beforeCount === 0) return <span>no effects outside the image in this evaluation</span>;
  const shown = all ? before : before.slice(-BEFORE_SHOWN);
  const hidden = beforeCount - shown.length;
  return (
    <>
      <Text tone={1}>{counted(beforeCount, 'effect')}</Text> in this evaluation
      <ol className={styles.soFar}>
        {shown.map((line, index) => (
          // A line can only be identified by its position, so the index is its key.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <ShownText className="code" text={visibleLine(line)} />
          </li>
        ))}
      </ol>
      {hidden > 0 ? (
        <span>
          {hidden.toLocaleString('en-US')} earlier{' '}
          {!all && before.length > shown.length ? (
            <Push kind="link" size="small" onClick={() => setAll(true)}>
              Show
            </Push>
          ) : null}
        </span>
      ) : null}
    </>
  );
}

export interface FramesProps {
  effect: CardEffect;
  /** Shows the source of the frame with this index in the main window, to the left of Review. */
  onSource: (frame: number) => void;
}

/** Shows the agent's own frames, and on demand the frames of SBCL and the workbench between them. */
export function Frames({ effect, onSource }: FramesProps) {
  const [open, setOpen] = useState(false);
  const [all, setAll] = useState(false);
  const [inner, setInner] = useState(false);
  const { frames, innerFrames } = effect;
  const shown = frameRows(effect, { own: all ? frames.length : FRAMES_SHOWN, inner });
  const hidden = all ? 0 : Math.max(0, frames.length - FRAMES_SHOWN);
  return (
    <Box as="section" edge="top" padX={4} className={effectStyles.frames} aria-label="Frames">
      <Disclosure
        title="Frames"
        open={open}
        onOpen={setOpen}
        aside={
          <Truncate tone={3}>
            {inner ? 'all of them' : visibleLine(frames.find(({ place }) => place !== null)?.place ?? '')}
          </Truncate>
        }
      >
        {frames.length === 0 ? (
          <Text as="p" font="small" tone={2} className={effectStyles.framesNone}>
            The frames of the agent’s own code are unknown.
          </Text>
        ) : null}
        <Box selectable className={classes(effectStyles.frameList, 'code')}>
          {shown.map((row) =>
            row.kind === 'inner' ? (
              <Fragment key={`inner ${row.index}`}>
                <Text tone={3} className={effectStyles.frameNumber} aria-hidden>
                  ·
                </Text>
                <ShownText className={look({ breaks: true, lines: 'wrap', tone: 3 })} text={visibleLine(row.call)} />
                <span />
              </Fragment>
            ) : (
              <OwnFrame key={row.index} index={row.index} frame={row.frame} onSource={onSource} />
            ),
          )}
        </Box>
        {hidden > 0 ? (
          <Text as="p" font="small" tone={2} className={effectStyles.framesNone}>
            {plural(hidden, 'more frame')}{' '}
            <Push kind="link" size="small" onClick={() => setAll(true)}>
              Show
            </Push>
          </Text>
        ) : null}
        {innerFrames.length > 0 ? (
          <Text as="p" font="small" tone={2} className={effectStyles.framesNone}>
            {plural(innerFrames.length, 'frame')} of SBCL and the workbench{' '}
            <Push
              kind="link"
              size="small"
              aria-expanded={inner}
              aria-label={`${inner ? 'Hide' : 'Show'} the frames of SBCL and the workbench`}
              onClick={() => setInner(!inner)}
            >
              {inner ? 'Hide' : 'Show'}
            </Push>
          </Text>
        ) : null}
      </Disclosure>
    </Box>
  );
}

interface OwnFrameProps extends Pick<FramesProps, 'onSource'> {
  index: number;
  frame: CardEffect['frames'][number];
}

function OwnFrame({ index, frame: { call, place, source, evaluated }, onSource }: OwnFrameProps) {
  return (
    <>
      <Text tone={3} className={effectStyles.frameNumber}>
        {index}
      </Text>
      <Text dir="ltr" as="bdo" breaks lines="wrap">
        {evaluated ? <Text tone={3}>evaluating </Text> : null}
        <Pieces pieces={callPieces(evaluated ? evaluatedForm(call) : call)} />
      </Text>
      {place === null ? (
        <span />
      ) : source === null ? (
        <ShownText
          className={look({ tone: 3, breaks: true, lines: 'wrap' }, effectStyles.framePlace)}
          text={visibleLine(place)}
        />
      ) : (
        <Box
          type="button"
          as="button"
          tone={3}
          breaks
          lines="wrap"
          className={classes(effectStyles.framePlace, effectStyles.frameSource)}
          aria-label={`Show the source of frame ${index}, ${visibleLine(place)}`}
          onClick={() => onSource(index)}
        >
          <ShownText text={visibleLine(place)} />
        </Box>
      )}
    </>
  );
}

function callPieces(call: string): ReturnType<typeof piecesOf> {
  const text = visibleLine(call);
  return piecesOf(text, colourLine(text, initialColour).runs, null);
}
