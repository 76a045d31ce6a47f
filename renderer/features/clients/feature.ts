/** The clients of the workbench: connecting them, setting their rights, and revoking their access. */
import { Plug } from 'lucide-react';
import { ConnectClient } from './connect.tsx';
import { announceAdmissions } from './pairing.tsx';
import { Clients } from './panel.tsx';
import { notifyStopped } from './pause.ts';
import { on } from '../../base/bridge.ts';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [{ id: 'clients', title: 'Clients', place: 'left', icon: Plug, keys: 'Ctrl+Shift+J', Panel: Clients }],
  dialogs: { connect: ConnectClient },
  start: () => {
    announceAdmissions();
    on('agents-stopped', ({ paused }) => notifyStopped(paused));
  },
});
