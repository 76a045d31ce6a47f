/** What parked code would do, what its evaluation did before, and the agent's own frames that led there. */
import { CircleSlash, Undo2 } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { ApprovalCard, CardEffect } from '#contract/approval.ts';
import { colourLine, initialColour } from '../sexp/colour.ts';
import { AgentText, Pieces, ShownText } from './agent-text.tsx';
import { Push } from './button.tsx';
import { Fact, LevelMark } from './card-facts.tsx';
import { BEFORE_SHOWN, type EffectFacts, FRAMES_SHOWN, oneLine } from './effect.ts';
import { evaluatedForm, frameRows } from './frames.ts';
import { LEVELS, reversibility } from './facts.ts';
import { piecesOf } from './pieces.ts';

export interface EffectFactListProps {
  card: ApprovalCard;
  effect: CardEffect;
  facts: EffectFacts;
}

export function EffectFactList({ card, effect, facts }: EffectFactListProps) {
  const undo = reversibility(card.reversible);
  return (
    <dl className="facts">
      {facts.target === null ? null : (
        <Fact label="Target">
          <ShownText className="code" text={oneLine(facts.target)} />
          {facts.measures ? <span className="fact-line">{facts.measures}</span> : null}
        </Fact>
      )}
      <Fact label="Level">
        <LevelMark level={card.level} />
        <span className={`level-${card.level}`}>{LEVELS[card.level]}</span>
        <span className="fact-more">leaves the image</span>
      </Fact>
      <Fact label="Undo">
        {undo.reversible ? <Undo2 className="icon" aria-hidden /> : <CircleSlash className="icon" aria-hidden />}
        <AgentText className="fact-strong" text={undo.verdict} />
        {undo.why ? <AgentText className="fact-more" text={undo.why} /> : null}
      </Fact>
      {facts.rows.map(({ label, value }) => (
        <Fact key={label} label={<AgentText text={label} />}>
          <ShownText className="fact-value" text={oneLine(value)} />
        </Fact>
      ))}
      <Fact label="So far">
        <SoFar effect={effect} />
      </Fact>
    </dl>
  );
}

/** What the evaluation did outside the image before this. */
function SoFar({ effect: { before, beforeCount } }: { effect: CardEffect }) {
  const [all, setAll] = useState(false);
  if (beforeCount === 0) return <span>nothing outside the image in this evaluation</span>;
  const shown = all ? before : before.slice(-BEFORE_SHOWN);
  const hidden = beforeCount - shown.length;
  const count = beforeCount.toLocaleString('en-US');
  return (
    <>
      <span className="fact-strong">{beforeCount === 1 ? '1 effect' : `${count} effects`}</span> in this evaluation
      <ol className="so-far">
        {shown.map((line, index) => (
          // Lines have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <ShownText className="code" text={oneLine(line)} />
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
  /** Shows the source of the frame with this index at the left. */
  onSource: (frame: number) => void;
}

/** The agent's own frames; those of SBCL and the workbench between them on demand. */
export function Frames({ effect, onSource }: FramesProps) {
  const [all, setAll] = useState(false);
  const [inner, setInner] = useState(false);
  const { frames, innerFrames } = effect;
  const shown = frameRows(effect, { own: all ? frames.length : FRAMES_SHOWN, inner });
  const hidden = all ? 0 : Math.max(0, frames.length - FRAMES_SHOWN);
  return (
    <section className="frames" aria-label="Frames">
      <h3 className="frames-head">
        Frames <span className="frames-note">{inner ? 'all of them' : 'agent’s code only'}</span>
      </h3>
      {frames.length === 0 ? <p className="frames-none">No frame of the agent’s own code is known.</p> : null}
      <div className="frame-list code">
        {shown.map((row) =>
          row.kind === 'inner' ? (
            <Fragment key={`inner ${row.index}`}>
              <span className="frame-number" aria-hidden>
                ·
              </span>
              <ShownText className="frame-call frame-inner" text={oneLine(row.call)} />
              <span />
            </Fragment>
          ) : (
            <OwnFrame key={row.index} index={row.index} frame={row.frame} onSource={onSource} />
          ),
        )}
      </div>
      {hidden > 0 ? (
        <p className="frames-none">
          {hidden} more {hidden === 1 ? 'frame' : 'frames'}{' '}
          <Push kind="link" size="small" onClick={() => setAll(true)}>
            Show
          </Push>
        </p>
      ) : null}
      {innerFrames.length > 0 ? (
        <p className="frames-none">
          {innerFrames.length} {innerFrames.length === 1 ? 'frame' : 'frames'} of SBCL and the workbench{' '}
          <Push
            kind="link"
            size="small"
            aria-expanded={inner}
            aria-label={`${inner ? 'Hide' : 'Show'} the frames of SBCL and the workbench`}
            onClick={() => setInner(!inner)}
          >
            {inner ? 'Hide' : 'Show'}
          </Push>
        </p>
      ) : null}
    </section>
  );
}

interface OwnFrameProps extends Pick<FramesProps, 'onSource'> {
  index: number;
  frame: CardEffect['frames'][number];
}

function OwnFrame({ index, frame: { call, place, source, evaluated }, onSource }: OwnFrameProps) {
  return (
    <>
      <span className="frame-number">{index}</span>
      <bdo dir="ltr" className="frame-call">
        {evaluated ? <span className="frame-evaluating">evaluating </span> : null}
        <Pieces pieces={callPieces(evaluated ? evaluatedForm(call) : call)} />
      </bdo>
      {place === null ? (
        <span />
      ) : source === null ? (
        <ShownText className="frame-place" text={oneLine(place)} />
      ) : (
        <button
          type="button"
          className="frame-place frame-source"
          aria-label={`Show the source of frame ${index}, ${oneLine(place)}`}
          onClick={() => onSource(index)}
        >
          <ShownText text={oneLine(place)} />
        </button>
      )}
    </>
  );
}

function callPieces(call: string): ReturnType<typeof piecesOf> {
  const text = oneLine(call);
  return piecesOf(text, colourLine(text, initialColour).runs, null);
}
