/** The entry point of the page. */
import './theme/index.css';
import { createRoot } from 'react-dom/client';
import { messageOf } from './base/bridge.ts';
import { Broken } from './window/error-boundary.tsx';
import { startWindow } from './window/start.tsx';

const root = createRoot(document.querySelector('#root')!);

startWindow(root).catch((error: unknown) => {
  console.error(error);
  root.render(<Broken problem={messageOf(error)} />);
});
