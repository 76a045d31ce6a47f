/** The actors that are always there; the others are clients. */

export const PERSON = { id: 'person', kind: 'person', name: 'you' } as const;

/** The workbench itself, which does what nobody asked for. */
export const WORKBENCH = { id: 'workbench', kind: 'workbench', name: 'workbench' } as const;
