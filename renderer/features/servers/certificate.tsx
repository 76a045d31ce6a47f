/** The HTTPS certificate: the data by which a client recognizes this server. */
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import type { ServerRecord } from '#contract/clients/server.ts';
import { call } from '../../base/bridge.ts';
import { orNotice } from '../../base/notices/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { Row, Stack, Text } from '../../ui/layout.tsx';
import { certificateWords } from './descriptions.ts';

export function Certificate({ certificate }: { certificate: NonNullable<ServerRecord['certificate']> }) {
  const { fingerprint, file } = certificate;
  const [copied, setCopied] = useState<string | null>(null);
  const label = copied === fingerprint ? 'Copied' : 'Copy';
  const copy = async (): Promise<void> => {
    await call('app.copy', { text: fingerprint });
    setCopied(fingerprint);
  };
  return (
    <Stack gap={1} role="group" aria-label="Certificate">
      <Text as="p" font="small" tone={2} lines="wrap">
        {certificateWords(certificate)}
      </Text>
      <Row gap={2} align="start">
        <Text grow selectable breaks className="code" aria-label="SHA-256 fingerprint" role="group">
          {fingerprint}
        </Text>
        <Button
          size="small"
          aria-label={`${label} fingerprint`}
          icon={
            label === 'Copied' ? (
              <Check className="icon-small good-mark" aria-hidden />
            ) : (
              <Copy className="icon-small" aria-hidden />
            )
          }
          onPress={() => void orNotice(copy())}
        >
          {label}
        </Button>
      </Row>
      <Text font="small" tone={2}>
        Certificate file for clients that need to trust it:
      </Text>
      <Text selectable breaks className="code">
        {file}
      </Text>
    </Stack>
  );
}
