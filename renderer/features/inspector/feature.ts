/** The inspector. */
import { ScanSearch } from 'lucide-react';
import { inspectorCommands } from './commands.ts';
import { startInspector } from './inspector.ts';
import { INSPECTOR_LETTERS } from './letters.ts';
import { Inspector } from './panel/inspector.tsx';
import { defineFeature } from '../define-feature.ts';

export const feature = defineFeature({
  panels: [{ id: 'inspector', title: 'Inspector', place: 'side', icon: ScanSearch, Panel: Inspector }],
  commands: inspectorCommands,
  letters: { group: 'In the inspector, while it has the focus', letters: INSPECTOR_LETTERS },
  start: startInspector,
});
