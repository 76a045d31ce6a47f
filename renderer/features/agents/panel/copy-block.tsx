/** A Markdown block, with a button that copies the block's text. */
import type { ReactNode } from 'react';
import { call } from '../../../base/bridge.ts';
import { notify, orNotice } from '../../../base/notices/notices.tsx';
import { Button } from '../../../ui/button.tsx';
import { Box } from '../../../ui/layout.tsx';
import styles from '../markdown/markdown-view.module.css';

/** The maximum number of characters that are copied to the clipboard. */
const MOST = 1_000_000;

/** `what`: the name of the block in the button's label, such as "the code". */
export function CopyBlock({ text, what, children }: { text: string; what: string; children: ReactNode }) {
  return (
    <Box className={styles.block}>
      {children}
      <span className={styles.copy}>
        <Button
          size="small"
          kind="quiet"
          aria-label={`Copy ${what}`}
          onPress={() => void orNotice(call('app.copy', { text: text.slice(0, MOST) }).then(() => notify('Copied.')))}
        >
          Copy
        </Button>
      </span>
    </Box>
  );
}
