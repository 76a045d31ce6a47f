/** The keys of the open card in Review, which Review draws on its buttons and the window lists with all other keys. */

interface CardKeys {
  readonly keys: string;
  readonly title: string;
}

export const CARD_KEYS: Readonly<Record<'approve' | 'deny', CardKeys>> = {
  approve: { keys: 'Ctrl+Enter', title: 'Approve the open card, or send the denial' },
  deny: { keys: 'Ctrl+Shift+Enter', title: 'Write the reason for a denial' },
};
