/** The content of octets or of a file, shown as a picture. */
import { useEffect, useState } from 'react';
import type { InspectedPicture } from '#contract/image/inspection.ts';
import { call, messageOf } from '../../../base/bridge.ts';
import type { Step } from '../viewer-state.ts';
import { Empty } from '../../../ui/panels/empty.tsx';
import { Box, Text } from '../../../ui/layout.tsx';
import styles from './inspector.module.css';

export function Picture({ step: { handle, generation } }: { step: Step }) {
  const [picture, setPicture] = useState<InspectedPicture | string | null>(null);
  const [size, setSize] = useState<{ width: number; height: number } | 'broken' | null>(null);
  useEffect(() => {
    let left = false;
    call('inspector.picture', { handle }).then(
      (found) => !left && setPicture(found.problem ?? found),
      (error: unknown) => !left && setPicture(messageOf(error)),
    );
    return () => {
      left = true;
    };
  }, [handle, generation]);
  if (picture === null) return <Empty title="Waiting for the image" />;
  if (typeof picture === 'string')
    return (
      <Empty title="The picture could not be read.">
        <p>{picture}</p>
      </Empty>
    );
  const { type, base64, octets } = picture;
  if (type === null) return <Empty title="The object no longer contains a picture." />;
  if (base64 === null)
    return (
      <Empty title="The picture is too large to show.">
        <p>{octets.toLocaleString('en')} octets.</p>
      </Empty>
    );
  const kind = type.slice('image/'.length).toUpperCase();
  return (
    <Box grow scroll padX={4} padY={2} tabIndex={0} role="group" aria-label="Picture" data-region-focus>
      <img
        src={`data:${type};base64,${base64}`}
        alt={`${kind}, ${octets.toLocaleString('en')} octets`}
        className={styles.picture}
        onLoad={({ currentTarget }) =>
          setSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
        }
        onError={() => setSize('broken')}
      />
      <Text as="p" font="small" tone={2}>
        {kind}, {octets.toLocaleString('en')} octets
        {size === 'broken'
          ? '. It begins as a picture and cannot be drawn.'
          : size
            ? `, ${size.width} × ${size.height}`
            : ''}
      </Text>
    </Box>
  );
}
