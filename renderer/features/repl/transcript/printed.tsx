/** The output of an evaluation: all of it, or its beginning and its end with the way to what is between. */
import { useEffect, useState } from 'react';
import type { TranscriptStream } from '#contract/image/evaluation.ts';
import { call } from '../../../base/bridge.ts';
import { lastOf, type OutputBuffer } from '../../../base/text/output.ts';
import { openPrinted } from '../../../editor/text/whole-text.ts';
import { orNotice } from '../../../base/notices/notices.tsx';
import { writtenOver } from './carriage-returns.ts';
import { colouredPieces, type ColouredPiece, type PrintedTone } from './colours.ts';
import { entryName, type Entry } from '../../../base/image/transcript.ts';
import { Button } from '../../../ui/button.tsx';
import { Row, Text } from '../../../ui/layout.tsx';
import { look } from '../../../ui/look.ts';

/** Characters of the beginning that are shown, up to a line end. */
const HEAD = 2_000;
/** Characters of the end that are shown while more may come: all of them are laid out anew with each piece. */
const LIVE = 8_000;

/** `cut`: characters at the end that the image counted and did not send. */
export function Printed({ entry, buffer: kept, cut }: { entry: Entry; buffer: OutputBuffer; cut: number }) {
  const buffer = entry.report === null ? lastOf(kept, LIVE) : kept;
  const left = buffer.dropped > 0;
  const { head, problem } = useHead(entry, left);
  if (buffer.chunks.length === 0 && buffer.dropped + cut === 0) return null;
  const last = buffer.chunks.length - 1;
  const between = buffer.dropped - head.length;
  return (
    <>
      {head === '' ? null : (
        <Text as="pre" tone={2} breaks lines="wrap" className="code">
          <Coloured pieces={colouredPieces(head.replace(/^\n/, '').replace(/\n$/, '')).pieces} />
        </Text>
      )}
      {left && between > 0 ? (
        <Row gap={2} font="small" tone={3} wrap>
          {head === '' ? (
            <span>{buffer.dropped.toLocaleString('en')} characters not shown</span>
          ) : (
            <>
              <span>{between.toLocaleString('en')} characters between</span>
              <Button
                size="small"
                kind="link"
                onPress={() => void orNotice(openPrinted(entry.evaluation, `Output of ${entryName(entry)}`))}
              >
                Open whole
              </Button>
            </>
          )}
          {problem === null ? null : <span>{problem}</span>}
        </Row>
      ) : null}
      <Text as="pre" tone={2} breaks lines="wrap" className="code">
        {inColour(
          writtenOver(buffer.chunks.map(({ text }, index) => trimmed(text, index === 0 && !left, index === last))),
        ).map((pieces, index) => (
          // Chunks have no identity but their order.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index} className={toneOf(buffer.chunks[index]!.stream)}>
            <Coloured pieces={pieces} />
          </span>
        ))}
      </Text>
      {cut > 0 ? (
        <Row font="small" tone={3}>
          {entry.agent
            ? `${cut.toLocaleString('en')} characters not shown`
            : `${cut.toLocaleString('en')} characters after that were printed and not stored`}
        </Row>
      ) : null}
    </>
  );
}

/** The pieces of each text: a colour holds until it is changed, in whichever of them. */
function inColour(texts: readonly string[]): (readonly ColouredPiece[])[] {
  let tone: PrintedTone | null = null;
  return texts.map((text) => {
    const { pieces, after } = colouredPieces(text, tone);
    tone = after;
    return pieces;
  });
}

function Coloured({ pieces }: { pieces: readonly ColouredPiece[] }) {
  return pieces.map(({ text, tone }, index) => (
    // Pieces have no identity but their order. Each is an element: what a component gives back without one is not made drawable.
    // oxlint-disable-next-line react/no-array-index-key
    <span key={index} className={tone === null ? undefined : look({ tone })}>
      {text}
    </span>
  ));
}

/** The person's answers stand out from what asked for them. */
function toneOf(stream: TranscriptStream): string | undefined {
  if (stream === 'stderr') return look({ tone: 'cautious' });
  return stream === 'input' ? look({ tone: 1 }) : undefined;
}

/** The beginning of an output of which the page has the end alone; only what the person evaluated is kept whole. */
function useHead({ evaluation, agent }: Entry, left: boolean): { head: string; problem: string | null } {
  const [found, setFound] = useState<{ head: string; problem: string | null }>({ head: '', problem: null });
  const wanted = left && agent === null;
  useEffect(() => {
    if (!wanted) return undefined;
    let gone = false;
    call('output.part', { evaluation, part: 0 }).then(
      ({ printed, problem }) => {
        if (gone) return;
        const text = printed?.text.slice(0, HEAD) ?? '';
        const eol = text.lastIndexOf('\n');
        setFound({ head: eol > 0 ? text.slice(0, eol + 1) : text, problem });
      },
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [wanted, evaluation]);
  return found;
}

/** Output without the line break at its beginning, as PRINT writes, and at its end: neither makes an empty line here. */
function trimmed(text: string, first: boolean, last: boolean): string {
  const begun = first ? text.replace(/^\n/, '') : text;
  return last ? begun.replace(/\n$/, '') : begun;
}
