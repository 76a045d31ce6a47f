/** The content of an empty area: one sentence, and the next step with its key. */
import type { ReactNode } from 'react';
import { Stack, Text } from '../layout.tsx';

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Stack grow align="start" gap={2} padY={3} padX={4} font="small" tone={2}>
      <Text as="p" font="small-strong" tone={1}>
        {title}
      </Text>
      {children}
    </Stack>
  );
}
