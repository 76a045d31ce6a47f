/**
 * The diamond of a client, in the client's colour, which is the same throughout the window. The person's own waiting code gets the person's
 * mark.
 */
import { createContext, useContext, type ReactNode } from 'react';
import { isPersonId } from '#contract/clients/known-actors.ts';
import { ActorMark } from '../../ui/mark.tsx';

/** Colours (1–4) by actor id, as the main process sends them with the queue. */
export const Hues = createContext<Readonly<Record<string, number>>>({});

export function ClientMark({ id }: { id: string }): ReactNode {
  const hue = useContext(Hues)[id] ?? 1;
  return <ActorMark hue={isPersonId(id) ? null : hue} />;
}
