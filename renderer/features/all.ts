/** All features, one per line. Their panels and commands are listed in this order. */
import type { Feature } from './define-feature.ts';
import { feature as evaluate } from './evaluate/feature.ts';
import { feature as macroexpand } from './macroexpand/feature.ts';
import { feature as files } from './files/feature.ts';
import { feature as definitions } from './definitions/feature.ts';
import { feature as systems } from './systems/feature.ts';
import { feature as libraries } from './libraries/feature.ts';
import { feature as testRuns } from './test-runs/feature.ts';
import { feature as browser } from './browser/feature.ts';
import { feature as activity } from './activity/feature.ts';
import { feature as clients } from './clients/feature.ts';
import { feature as tour } from './tour/feature.ts';
import { feature as start } from './start/feature.ts';
import { feature as image } from './image/feature.ts';
import { feature as servers } from './servers/feature.ts';
import { feature as repl } from './repl/feature.ts';
import { feature as debugging } from './debugger/feature.ts';
import { feature as diagnostics } from './diagnostics/feature.ts';
import { feature as search } from './search/feature.ts';
import { feature as output } from './output/feature.ts';
import { feature as threads } from './threads/feature.ts';
import { feature as memory } from './memory/feature.ts';
import { feature as profiler } from './profiler/feature.ts';
import { feature as trace } from './trace/feature.ts';
import { feature as recordings } from './recordings/feature.ts';
import { feature as coverage } from './coverage/feature.ts';
import { feature as documentation } from './documentation/feature.ts';
import { feature as references } from './references/feature.ts';
import { feature as inspector } from './inspector/feature.ts';
import { feature as agents } from './agents/feature.ts';
import { feature as checkpoints } from './checkpoints/feature.ts';
import { feature as savedImages } from './saved-images/feature.ts';
import { feature as newProject } from './new-project/feature.ts';
import { feature as protection } from './protection/feature.ts';
import { feature as targets } from './targets/feature.ts';
import { feature as settings } from './settings/feature.ts';

export const features: readonly Feature[] = [
  evaluate,
  macroexpand,
  files,
  definitions,
  systems,
  libraries,
  testRuns,
  browser,
  activity,
  clients,
  tour,
  start,
  image,
  servers,
  repl,
  debugging,
  diagnostics,
  search,
  output,
  threads,
  memory,
  profiler,
  trace,
  recordings,
  coverage,
  documentation,
  references,
  inspector,
  agents,
  checkpoints,
  savedImages,
  newProject,
  protection,
  targets,
  settings,
];
